// From words to an exit code: 0 done, 1 failed, 2 wrong usage.
import { readFileSync } from 'node:fs'
import { Problem, problemOf } from '../problem.mjs'
import { commandHelp, groupHelp, rootHelp } from './help.mjs'
import { connect, folderOf } from './instance.mjs'
import { parseWords } from './parse.mjs'
import { Declined, Refused, WrongUsage } from './problems.mjs'
import { loadRegistry } from './registry.mjs'

/** Runs the command that `words` name at `terminal`, and answers the exit code. */
export async function main(words, terminal) {
  const registry = await loadRegistry()
  try {
    const [first = '--help'] = words
    if (first === '--version') return printVersion(terminal)
    if (first === '--help' || first === 'help') return printHelp(registry, words.slice(1), terminal)
    return await runCommand(findCommand(registry, words), words, terminal)
  } catch (failure) {
    const problem = problemOf(failure)
    if (problem === null) throw failure
    terminal.complain(
      `${words.includes('--json') ? JSON.stringify({ error: problem.message }) : textOf(problem)}\n`,
    )
    return problem instanceof WrongUsage ? 2 : 1
  }
}

async function runCommand(found, words, terminal) {
  if (found.command === null) {
    const isAsked = words.includes('--help')
    terminal[isAsked ? 'print' : 'complain'](`${groupHelp(found.group)}\n`)
    return isAsked ? 0 : 2
  }
  const { command } = found
  const { input, common } = readInput(command, words.slice(command.path.length))
  if (common.help) {
    terminal.print(`${commandHelp(command)}\n`)
    return 0
  }
  const instance = connect(common, terminal, command.api)
  const act = { input, instance, folder: folderOf(common), progress: progressAt(terminal) }
  const performed =
    command.destroys === null ? perform(command, act) : performAsked(command, act, { common, terminal })
  const outcome = await performed.catch((failure) => {
    throw failure instanceof Refused ? failure.to(command) : failure
  })
  if (common.json) terminal.print(`${JSON.stringify(validated(command, outcome), null, 2)}\n`)
  else for (const line of outcome.lines) terminal.print(line.endsWith('\n') ? line : `${line}\n`)
  return outcome.code ?? 0
}

async function perform(command, act) {
  const result = await command.run(act)
  return {
    result,
    schema: command.result,
    lines: command.lines(result, act.input),
    code: command.codeOf?.(result),
  }
}

/** An action that is hard to undo: shows its effects, and asks. */
async function performAsked(command, act, { common, terminal }) {
  const { input } = act
  if (!command.asks && !input.dryRun) return perform(command, act)
  const effects = command.effects === null ? null : await command.effects(act)
  const would = command.destroys(input, effects)
  const lines = command.effectLines(effects, input)
  if (input.dryRun)
    return {
      result: { dry_run: true, would, effects },
      schema: null,
      lines: [
        ...lines,
        would === '' ? 'This would change nothing.' : `This would ${would}.`,
        'Nothing was changed.',
      ],
    }
  if (!common.json) for (const line of lines) terminal.print(`${line}\n`)
  if (would !== '') await confirm(`This would ${would}.`, input, terminal)
  return perform(command, { ...act, effects })
}

async function confirm(sentence, { yes }, terminal) {
  if (yes) return
  if (!terminal.isInteractive) throw new WrongUsage(`${sentence} Repeat the command with --yes to go on.`)
  if (!/^y(es)?$/i.test(await terminal.ask(`${sentence} Go on? [y/N] `))) throw new Declined()
}

function validated({ path }, { result, schema }) {
  if (schema === null) return result
  const outcome = schema.safeParse(result)
  if (outcome.success) return outcome.data
  const [issue] = outcome.error.issues
  throw new Problem(
    `${path.join(' ')} has a result that this version does not know (${issue.path.join('.')}: ${issue.message}).
Does the instance run another version?`,
  )
}

function findCommand({ groups, singles }, [first, second]) {
  const single = singles.find(({ name }) => name === first)
  if (single !== undefined) return { command: single }
  const group = groups.find(({ name }) => name === first)
  if (group === undefined)
    throw new WrongUsage(`There is no command ${first}. npx fieldfare --help lists them.`)
  if (second === undefined || second.startsWith('-')) return { group, command: null }
  const command = group.commands.find(({ name }) => name === second)
  if (command === undefined) throw new WrongUsage(`There is no command ${first} ${second}.`, groupHelp(group))
  return { command }
}

function readInput(command, words) {
  try {
    return parseWords(command, words)
  } catch (failure) {
    if (!(failure instanceof WrongUsage)) throw failure
    throw new WrongUsage(failure.message, commandHelp(command))
  }
}

function printHelp(registry, words, terminal) {
  const { group, command } = words.length === 0 ? {} : findCommand(registry, words)
  if (command) terminal.print(`${commandHelp(command)}\n`)
  else terminal.print(`${group === undefined ? rootHelp(registry) : groupHelp(group)}\n`)
  return 0
}

function printVersion(terminal) {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  terminal.print(`${version}\n`)
  return 0
}

function textOf({ message, help = null }) {
  return help === null ? message : `${message}\n\n${help}`
}

/** Progress of what takes long: `progress(done, total, what)`, to the terminal only; null `total` where unknown. */
function progressAt({ showProgress }) {
  return (done, total, what) => {
    if (showProgress === null) return
    const isDone = done === total
    showProgress(isDone ? '' : `${what}: ${done}${total === null ? '' : ` of ${total}`}`)
  }
}
