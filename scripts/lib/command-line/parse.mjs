// Words of the command line, read by the declaration of their command.
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { flag, option } from './declare.mjs'
import { WrongUsage } from './problems.mjs'

const seconds = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a number of seconds from 1 to 9999')
  .transform(Number)

/** Options that each command takes. */
export const commonOptions = {
  url: option('ADDRESS', 'The instance at this address; without it the one that npm start runs here'),
  folder: option('FOLDER', 'Folder of the local instance (.wrangler/instance)'),
  token: option(
    'TOKEN',
    'Access token of an owner with admin scopes; rather in FIELDFARE_TOKEN, or asked for',
  ),
  timeout: option('SECONDS', 'How long the instance may take to answer (30)', seconds),
  json: flag('Prints the result as JSON'),
  help: flag('Prints this'),
}

/**
 * Input and common options of a command: { input, common }. Throws `WrongUsage` for what the declaration does not
 * allow.
 */
export function parseWords(command, words) {
  const declared = { ...commonOptions, ...command.options }
  const { values, positionals } = readWords(declared, words)
  const options = mapEntries(values, (name, value) => readOption(name, declared[name], value))
  const common = Object.fromEntries(Object.entries(options).filter(([name]) => name in commonOptions))
  if (common.help) return { input: null, common }
  const own = Object.entries(options).filter(([name]) => !(name in commonOptions))
  const input = {
    ...readArguments(command, positionals),
    ...Object.fromEntries(own.map(([name, value]) => [camelCase(name), value])),
  }
  const problem = command.check(input)
  if (problem !== null) throw new WrongUsage(problem)
  return { input, common }
}

function readWords(declared, words) {
  const options = mapEntries(declared, (_name, { type, many = false }) => ({ type, multiple: many }))
  try {
    return parseArgs({ args: words, options, allowPositionals: true, allowNegative: true })
  } catch (failure) {
    if (String(failure.code).startsWith('ERR_PARSE_ARGS')) throw new WrongUsage(failure.message)
    throw failure
  }
}

function readArguments({ args }, words) {
  const read = {}
  let rest = [...words]
  for (const { name, kind, schema, least } of args) {
    const taken = kind === 'several' ? rest : rest.slice(0, 1)
    if (kind === 'one' && taken.length === 0) throw new WrongUsage(`${name} is missing`)
    if (kind === 'several' && taken.length < least) throw new WrongUsage(`${name} is missing`)
    rest = rest.slice(taken.length)
    const values = taken.map((text) => readValue(name, schema, text))
    read[camelCase(name.toLowerCase())] = kind === 'several' ? values : values[0]
  }
  if (rest.length > 0) throw new WrongUsage(`There is a word too many: ${rest[0]}`)
  return read
}

function readOption(name, { type, schema, many }, value) {
  if (type === 'boolean') return value
  return many
    ? value.map((text) => readValue(`--${name}`, schema, text))
    : readValue(`--${name}`, schema, value)
}

function readValue(name, schema, text) {
  const outcome = schema.safeParse(text)
  if (outcome.success) return outcome.data
  throw new WrongUsage(`${name} ${outcome.error.issues[0].message}: ${JSON.stringify(text.slice(0, 100))}`)
}

function mapEntries(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]))
}

function camelCase(name) {
  return name.replaceAll(/[-_ ](.)/g, (_, letter) => letter.toUpperCase())
}
