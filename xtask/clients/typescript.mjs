// Lets the TypeScript SDK's client call one tool and answer its questions by a plan.
//
// Argument: one JSON object
//   { "http": URL } or { "stdio": [COMMAND, ARG..] }, "tool", "arguments",
//   "answers": { KEY: [{ "action", "content"? }, ..] }   the first ask of KEY gets the first, and so on
// Output, one JSON object a line: {"asked"}, {"exchange"} (HTTP only: the texts of both directions),
// and at the end {"result"} or {"failure"}.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const plan = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

const client = new Client(
  { name: 'mrtr-typescript-run', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  },
);

client.setRequestHandler('elicitation/create', async (request, context) => {
  const key = context.mcpReq.id;
  say({ asked: { key, message: request.params.message } });
  const answer = plan.answers[key]?.shift();
  if (!answer) throw new Error(`the plan has no answer for ${key}`);
  return answer;
});

async function recordingFetch(url, init) {
  const response = await fetch(url, init);
  const received = await response.clone().text();
  say({
    exchange: {
      sent: init?.body ?? '',
      status: response.status,
      contentType: response.headers.get('content-type'),
      received,
    },
  });
  return response;
}

const transport = plan.http
  ? new StreamableHTTPClientTransport(new URL(plan.http), { fetch: recordingFetch })
  : new StdioClientTransport({ command: plan.stdio[0], args: plan.stdio.slice(1), stderr: 'inherit' });

try {
  await client.connect(transport);
  await client.listTools();
  const result = await client.callTool({ name: plan.tool, arguments: plan.arguments });
  say({ result });
} catch (error) {
  say({ failure: String(error?.stack ?? error) });
  process.exitCode = 1;
} finally {
  await client.close().catch(() => {});
}
