// Declarations of commands: one object says everything that help, documents, parser and tests need.
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { Problem } from '../problem.mjs'

/**
 * A group of commands, `fieldfare NAME COMMAND`. A file in scripts/commands exports one as `group`.
 *
 * `name`, `summary`, `commands`; `notes` are lines that help prints below the commands.
 */
export function declareGroup(group) {
  return {
    notes: [],
    ...group,
    commands: group.commands.map((command) => declareCommand(command, group.name)),
  }
}

/**
 * A command without a group, `fieldfare NAME`. A file in scripts/commands exports one as `command`.
 *
 * - `name`, `summary`
 * - `args`: positional arguments in their order, by `arg()`, `optional()` and `several()`
 * - `options`: by `flag()` and `option()`, named as they are written
 * - `route`: the one route that a command calls, as `PUT /api/fieldfare/v1/admin/rules/:id`, in place of `calls` and `run`; its
 *   parameter is the first argument. `body(input)` is sent to it, `key` names its answer in the result, and `pages` is the
 *   number of entries in one page of a list that is read whole
 * - `calls`: routes that the command calls by `run`
 * - `api`: `api_versions.fieldfare` of the instances that have these routes, 1 without
 * - `result`: zod schema of what `run` answers and `--json` prints
 * - `run({ input, instance, folder, progress })`: `input` has arguments and options, in camel case; `folder` is that of
 *   the local instance
 * - `lines(result, input)`: the result for people
 * - `destroys(input, effects)`: where the act is hard to undo, its sentence after "This would". The command then asks,
 *   takes `--yes`, and with `--dry-run` does nothing; `effects({ input, instance, folder })` finds what would be affected, and
 *   `effectLines(effects, input)` prints it. An empty sentence means that this act destroys nothing.
 * - `asks`: false where `destroys` says what an act does that needs no question, and only `--dry-run` is taken
 * - `check(input)`: what is wrong with arguments together, or null
 */
export function declareCommand(command, group = null) {
  const { name, destroys, asks, route } = command
  return {
    args: [],
    calls: route === undefined ? [] : [route],
    run: callOf(command),
    api: 1,
    check: () => null,
    effects: null,
    effectLines: () => [],
    destroys: null,
    asks: true,
    ...command,
    path: group === null ? [name] : [group, name],
    options: {
      ...command.options,
      ...(destroys === undefined || asks === false ? {} : { yes: flag('Asks nothing') }),
      ...(destroys === undefined ? {} : { 'dry-run': flag('Changes nothing') }),
    },
  }
}

/** The call of a command with a route. */
function callOf({ route = '', args = [], body = () => ({}), key, pages }) {
  const [method, path] = route.split(' ')
  const [first] = args
  return async ({ input, instance }) => {
    const address = path.replace(/:\w+/, () => encodeURIComponent(input[first.name.toLowerCase()]))
    const answer =
      pages === undefined
        ? await instance.call(method, address, body(input))
        : await instance.every(address, { limit: pages, ...body(input) })
    return key === undefined ? answer : { [key]: answer }
  }
}

/** Outcome of a dry run, as `--json` prints it. */
export const DryRun = z.object({ dry_run: z.literal(true), would: z.string(), effects: z.unknown() })

export const arg = (name, about, schema = word) => ({ name, about, schema, kind: 'one' })
export const optional = (name, about, schema = word) => ({ name, about, schema, kind: 'optional' })
/** Arguments of which there are `least` or more. */
export const several = (name, about, schema = word, least = 1) => ({
  name,
  about,
  schema,
  kind: 'several',
  least,
})

/** `--name`, and `--no-name` where false is not what leaving it out means. */
export const flag = (about) => ({ type: 'boolean', about })
/** `--name VALUE`; `many` allows it more than once. */
export const option = (value, about, schema = z.string(), { many = false } = {}) => ({
  type: 'string',
  value,
  about,
  schema,
  many,
})

/** A word that is not blank. */
export const word = z.string().refine((text) => text.trim() !== '', 'must not be blank')
export const id = z.string().regex(/^\d{1,19}$/, 'must be a number, as lists show them')
export const numericId = id.transform(Number)
export const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
/** A list with commas. */
export const commas = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const yesNo = z.enum(['yes', 'no'], 'must be yes or no').transform((text) => text === 'yes')
export const onOff = z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on')
export const emailAddress = z.email('must be an e-mail address')
export const oneOf = (...choices) => z.enum(choices, `must be one of ${choices.join(', ')}`)

/** Result of a command that answers nothing but that it is done. */
export const Done = z.object({})

/** Without the entries that are undefined: what was not said is not sent. */
export function given(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** The entries of all pages: `load` answers { entries, next } of the page after `next`. */
export async function everyPage(load) {
  const all = []
  let before = null
  do {
    const { entries, next } = await load(before)
    all.push(...entries)
    // A server of an earlier version may answer with everything, and without `next`.
    before = next ?? null
  } while (before !== null)
  return all
}

/** Text of a file: UTF-8, or UTF-16 with the mark that spreadsheets put at its beginning. */
export function readTextFile(file) {
  const bytes = readFileOf(file)
  const mark = bytes.subarray(0, 2).toString('hex')
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** A file as a picture in JSON. */
export function readPicture(file) {
  return `data:application/octet-stream;base64,${readFileOf(file).toString('base64')}`
}

function readFileOf(file) {
  try {
    return readFileSync(file)
  } catch (failure) {
    if (failure.code === undefined) throw failure
    throw new Problem(`${file} cannot be read: ${failure.code}`)
  }
}
