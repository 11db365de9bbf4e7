"""A reference client for Python before 2.0, over pipes and over HTTP. What it does not understand is in its log.

Usage: older_client.py GATE ROOT URL TOKEN
"""

import asyncio
import logging
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def use(read, write):
    async with ClientSession(read, write) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        assert "read_file" in tools, tools
        told = await session.call_tool("read_file", {"path": "note.txt", "purpose": "see"})
        assert told.structuredContent["content"] == "hello", told
        told = await session.call_tool("read_file", {"path": "../secret", "purpose": "see"})
        assert told.isError, told
        assert len((await session.list_resources()).resources) == 2
        await session.send_ping()


async def main():
    gate, root, url, token = sys.argv[1:]
    async with stdio_client(StdioServerParameters(command=gate, args=[root])) as (read, write):
        await use(read, write)
    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(url, headers=headers) as (read, write, _):
        await use(read, write)
    print("well")


logging.basicConfig(level=logging.WARNING)
asyncio.run(main())
