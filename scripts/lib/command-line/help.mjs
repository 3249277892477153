// Help texts, and the document about the command line, from the declarations.
import { commonOptions } from './parse.mjs'

const width = 118

/** `accounts approve NAME [TEXT]` */
export function usageOf({ path, args }) {
  const words = args.map(({ name, kind, least }) => {
    if (kind === 'one') return name
    if (kind === 'optional') return `[${name}]`
    return least === 0 ? `[${name}...]` : `${name}...`
  })
  return [...path, ...words].join(' ')
}

export function rootHelp({ groups, singles }) {
  return [
    'npx fieldfare GROUP COMMAND [--url https://...]',
    '',
    ...table([...singles, ...groups].map(({ name, summary }) => [name, summary])),
    '',
    'Commands address the instance that npm start runs here, whatever its port; --url names another. That one asks for',
    'the token of an owner in FIELDFARE_TOKEN, or for its set-up token in SETUP_TOKEN.',
    '',
    'npx fieldfare GROUP --help lists the commands of a group; --json and --help are taken by each of them.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage.',
  ].join('\n')
}

export function groupHelp({ name, summary, commands, notes }) {
  return [
    `npx fieldfare ${name} COMMAND: ${summary}`,
    '',
    ...table(commands.map((command) => [usageOf(command).slice(name.length + 1), command.summary])),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    `npx fieldfare ${name} COMMAND --help says what a command takes.`,
  ].join('\n')
}

export function commandHelp(command) {
  const { args, options, summary } = command
  return [
    `npx fieldfare ${usageOf(command)}${Object.keys(options).length === 0 ? '' : ' [OPTIONS]'}`,
    '',
    `  ${summary}`,
    ...section(args.map(({ name, about }) => [name, about])),
    ...section(Object.entries(options).map(optionRow)),
    ...section(Object.entries(commonOptions).map(optionRow)),
  ].join('\n')
}

export function optionRow([name, { type, value, about }]) {
  return [`--${name}${type === 'boolean' ? '' : ` ${value}`}`, about]
}

function section(rows) {
  return rows.length === 0 ? [] : ['', ...table(rows)]
}

/** Rows of two columns, the second wrapped. */
function table(rows) {
  const left = Math.min(34, Math.max(...rows.map(([name]) => name.length)) + 2)
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - left - 2)
    if (name.length + 2 > left) return [`  ${name}`, ...lines.map((line) => `  ${' '.repeat(left)}${line}`)]
    return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(left)}${line}`)
  })
}

function wrap(text, most) {
  const lines = ['']
  for (const part of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== '' && last.length + part.length >= most) lines.push(part)
    else lines[lines.length - 1] = last === '' ? part : `${last} ${part}`
  }
  return lines
}
