// Lets the TypeScript SDK's client play one case after another over one connection.
//
// Argument: one JSON object
//   { "http": URL } or { "stdio": [COMMAND, ARG..] },
//   "mode": "pin", "auto" or "legacy"; "revision": the one to pin, or to offer in the handshake
// Input, one JSON object a line, each a case:
//   { "method", "params", "answers": [{ "method", "says", "reply" }, ..] }
//   A question gets the first answer left of its method whose "says" stands in the question.
// Output, one JSON object a line: {"connected"} once; for each case {"asked"} for each question, and
// {"result"} or {"error"}; {"failure"} when the client itself fails.
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const plan = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

const client = new Client(
  { name: 'mrtr-typescript-run', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    versionNegotiation: { mode: plan.mode === 'pin' ? { pin: plan.revision } : plan.mode },
    ...(plan.mode === 'legacy' && { supportedProtocolVersions: [plan.revision] }),
  },
);

let answers = [];

for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
  client.setRequestHandler(method, async ({ params = {} }, context) => {
    say({ asked: { key: String(context.mcpReq.id), method, params } });
    const text = JSON.stringify(params);
    const index = answers.findIndex((answer) => answer.method === method && text.includes(answer.says));
    if (index < 0) throw new Error(`the case has no answer for ${method} ${text}`);
    const [{ reply }] = answers.splice(index, 1);
    if (reply.error) throw Object.assign(new Error(reply.error.message), reply.error);
    return reply;
  });
}

const calls = {
  'tools/call': (params) => client.callTool(params),
  'prompts/get': (params) => client.getPrompt(params),
  'resources/read': (params) => client.readResource(params),
};

async function play(line) {
  const { method, params, ...rest } = JSON.parse(line);
  answers = rest.answers;
  try {
    say({ result: await calls[method](params) });
  } catch (error) {
    // What is no error of the protocol has no code, or a text for one.
    const code = Number.isInteger(error?.code) ? error.code : 0;
    say({ error: { code, message: String(error?.message ?? error) } });
  }
}

const transport = plan.http
  ? new StreamableHTTPClientTransport(new URL(plan.http))
  : new StdioClientTransport({ command: plan.stdio[0], args: plan.stdio.slice(1), stderr: 'inherit' });

try {
  await client.connect(transport);
  await client.listTools();
  await client.listPrompts();
  await client.listResources();
  await client.listResourceTemplates();
  say({ connected: { revision: client.getNegotiatedProtocolVersion() } });
  for await (const line of createInterface({ input: process.stdin })) await play(line);
} catch (error) {
  say({ failure: String(error?.stack ?? error) });
  process.exitCode = 1;
} finally {
  await client.close().catch(() => {});
}
