"""Lets the Python SDK's client call one tool and answer its questions by a plan.

The argument and the output are those of typescript.mjs beside this file.
"""

import asyncio
import json
import sys
import traceback

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

plan = json.loads(sys.argv[1])


def say(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def answer(context, params):
    key = context.request_id
    say({"asked": {"key": key, "message": params.message}})
    planned = plan["answers"].get(key) or []
    if not planned:
        return types.ErrorData(code=-32603, message=f"the plan has no answer for {key}")
    reply = planned.pop(0)
    return types.ElicitResult(action=reply["action"], content=reply.get("content"))


async def record(response):
    await response.aread()
    say(
        {
            "exchange": {
                "sent": response.request.content.decode(),
                "status": response.status_code,
                "contentType": response.headers.get("content-type"),
                "received": response.text,
            }
        }
    )


def transport():
    if "http" in plan:
        http = create_mcp_http_client()
        http.event_hooks = {"response": [record]}
        return streamable_http_client(plan["http"], http_client=http)
    command, *args = plan["stdio"]
    return stdio_client(StdioServerParameters(command=command, args=args))


async def main():
    async with Client(transport(), mode="2026-07-28", elicitation_callback=answer) as client:
        await client.list_tools()
        result = await client.call_tool(plan["tool"], plan["arguments"])
        say({"result": result.model_dump(by_alias=True, exclude_none=True, mode="json")})


try:
    asyncio.run(main())
except BaseException:
    say({"failure": traceback.format_exc()})
    sys.exit(1)
