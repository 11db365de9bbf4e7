// The reference client for TypeScript, over pipes and over HTTP, in the version that a package holds.
//
// Usage: client.mjs GATE ROOT URL TOKEN PACKAGE
import assert from "node:assert/strict";

const [gate, root, url, token, sdk] = process.argv.slice(2);
const { Client } = await import(`${sdk}/client/index.js`);
const { StdioClientTransport } = await import(`${sdk}/client/stdio.js`);
const { StreamableHTTPClientTransport } = await import(`${sdk}/client/streamableHttp.js`);

async function use(transport) {
  const client = new Client({ name: "test", version: "1" });
  const complaints = [];
  client.onerror = (error) => complaints.push(String(error));
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
  await client.ping();
  assert.deepEqual(complaints, []);
  await transport.terminateSession?.();
  await client.close();
}

await use(new StdioClientTransport({ command: gate, args: [root] }));
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
await use(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
console.log("well");
process.exit(0);
