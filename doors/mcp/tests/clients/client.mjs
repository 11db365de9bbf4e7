// The reference client for TypeScript, over pipes and over HTTP.
//
// Usage: client.mjs GATE ROOT URL TOKEN
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

async function use(transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const read = tools.find((tool) => tool.name === "read_file");
  assert(read.inputSchema.required.includes("purpose"));
  assert.equal(read.annotations.readOnlyHint, true);
  let told = await client.callTool({ name: "read_file", arguments: { path: "note.txt", purpose: "see" } });
  assert.equal(told.structuredContent.content, "hello");
  told = await client.callTool({ name: "read_file", arguments: { path: "../secret", purpose: "see" } });
  assert.equal(told.isError, true);
  assert.equal(told.structuredContent.reasons[0].code, "path_outside_allowed_roots");
  told = await client.callTool({ name: "write_file", arguments: { path: "new", content: "x", purpose: "keep" } });
  assert.equal(told.structuredContent.status, "waiting");
  assert.equal((await client.listResources()).resources.length, 2);
  await client.close();
}

const [gate, root, url, token] = process.argv.slice(2);
await use(new StdioClientTransport({ command: gate, args: [root] }));
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
await use(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
console.log("well");
