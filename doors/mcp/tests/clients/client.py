"""The reference client for Python, over pipes and over HTTP.

Usage: client.py GATE ROOT URL TOKEN
"""

import asyncio
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def use(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert "read_file" in tools, tools
    assert "purpose" in tools["read_file"].input_schema["required"]
    told = await client.call_tool("read_file", {"path": "note.txt", "purpose": "see"})
    assert not told.is_error, told
    assert told.structured_content["content"] == "hello", told
    told = await client.call_tool("read_file", {"path": "../secret", "purpose": "see"})
    assert told.is_error, told
    assert told.structured_content["reasons"][0]["code"] == "path_outside_allowed_roots", told
    told = await client.call_tool("write_file", {"path": "new", "content": "x", "purpose": "keep"})
    assert not told.is_error and told.structured_content["status"] == "waiting", told
    listed = await client.list_resources()
    assert len(listed.resources) == 2, listed


async def main():
    gate, root, url, token = sys.argv[1:]
    async with Client(StdioServerParameters(command=gate, args=[root])) as client:
        await use(client)
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as web:
        async with Client(streamable_http_client(url, http_client=web)) as client:
            await use(client)
    print("well")


asyncio.run(main())
