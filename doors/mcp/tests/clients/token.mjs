// Shows a token with every request of a program that knows none: loaded before the conformance suite.
import { Agent, setGlobalDispatcher } from "undici";

const authorization = `Bearer ${process.env.MCP_TOKEN}`;
const shows = (dispatch) => (options, handler) => {
  const given = options.headers;
  const headers = Array.isArray(given)
    ? [...given, "authorization", authorization]
    : { ...(given instanceof Headers ? Object.fromEntries(given) : given), authorization };
  return dispatch({ ...options, headers }, handler);
};
setGlobalDispatcher(new Agent().compose(shows));
