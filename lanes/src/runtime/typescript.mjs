// Hooks of Node's loader: what has types is translated by a tool of the machine before it is run.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

let tools

export async function initialize(given) {
  tools = given
}

export async function load(url, context, next) {
  const kind = url.startsWith('file:') && /\.([cm]?)ts(x?)$/.exec(new URL(url).pathname)
  if (!kind) return next(url, context)
  const path = fileURLToPath(url)
  const source = await translated(path, readFileSync(path, 'utf8'), kind[2])
  return { format: format(kind[1], source), source, shortCircuit: true }
}

async function translated(path, source, x) {
  if (tools.compiler) {
    const { default: compiler } = await import(pathToFileURL(tools.compiler).href)
    const compilerOptions = { module: 99, target: 9, ...(x && { jsx: 2 }) }
    const done = compiler.transpileModule(source, { compilerOptions, fileName: path, reportDiagnostics: true })
    const wrong = (done.diagnostics ?? []).map((each) => compiler.flattenDiagnosticMessageText(each.messageText, '\n'))
    if (wrong.length > 0) fail(path, wrong.join('\n'))
    return done.outputText
  }
  const words = [`--loader=ts${x}`, '--target=node18', '--log-level=error', `--sourcefile=${path}`]
  const done = spawnSync(tools.bundler, words, { input: source, maxBuffer: 1 << 28 })
  if (done.error) throw done.error
  if (done.status !== 0) fail(path, done.stderr.toString())
  return done.stdout.toString()
}

function fail(path, why) {
  const error = new SyntaxError(`${path}: ${why.trim()}`)
  error.stack = `${error.name}: ${error.message}`
  throw error
}

// As Node tells them apart: by the ending, and where that says nothing, by what stands in the file.
function format(letter, source) {
  if (letter !== '') return letter === 'c' ? 'commonjs' : 'module'
  const isModule = /^\s*(?:import(?![\s]*\()|export)\b/m.test(source) || /^(?:.*[=(,\s])?await\s/m.test(source)
  return isModule || !/\b(?:require|module|exports|__filename|__dirname)\b/.test(source) ? 'module' : 'commonjs'
}
