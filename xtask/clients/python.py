"""Lets the Python SDK's client play one case after another over one connection.

The argument, the input and the output are those of typescript.mjs beside this file.
"""

import asyncio
import json
import sys
import traceback

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

plan = json.loads(sys.argv[1])
answers = []


def say(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def dump(model):
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


def reply_to(method, result_type):
    async def reply(context, params=None):
        shown = dump(params) if params else {}
        say({"asked": {"key": str(context.request_id), "method": method, "params": shown}})
        text = json.dumps(shown, ensure_ascii=False)
        for answer in answers:
            if answer["method"] == method and answer["says"] in text:
                answers.remove(answer)
                break
        else:
            return types.ErrorData(code=-32603, message=f"the case has no answer for {method} {text}")
        if "error" in answer["reply"]:
            return types.ErrorData(**answer["reply"]["error"])
        return result_type.model_validate(answer["reply"])

    return reply


def transport():
    if "http" in plan:
        return streamable_http_client(plan["http"])
    command, *args = plan["stdio"]
    return stdio_client(StdioServerParameters(command=command, args=args))


async def play(client, case):
    answers[:] = case["answers"]
    params = case["params"]
    try:
        match case["method"]:
            case "tools/call":
                result = await client.call_tool(params["name"], params["arguments"])
            case "prompts/get":
                result = await client.get_prompt(params["name"], params["arguments"])
            case "resources/read":
                result = await client.read_resource(params["uri"])
        say({"result": dump(result)})
    except Exception as error:
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        # What is no error of the protocol has no code.
        code = error.error.code if isinstance(error, MCPError) else 0
        say({"error": {"code": code, "message": str(error)}})


async def main():
    async with Client(
        transport(),
        mode=plan["revision"] if plan["mode"] == "pin" else plan["mode"],
        elicitation_callback=reply_to("elicitation/create", types.ElicitResult),
        sampling_callback=reply_to("sampling/createMessage", types.CreateMessageResult),
        list_roots_callback=reply_to("roots/list", types.ListRootsResult),
    ) as client:
        await client.list_tools()
        await client.list_prompts()
        await client.list_resources()
        await client.list_resource_templates()
        say({"connected": {"revision": client.protocol_version}})
        while line := await asyncio.to_thread(sys.stdin.readline):
            await play(client, json.loads(line))


try:
    asyncio.run(main())
except BaseException:
    say({"failure": traceback.format_exc()})
    sys.exit(1)
