// Terminal of `npm run deploy`; tests bring their own.
import { terminal as commandTerminal } from '../command-line/terminal.mjs'

/** { log, question }: `question` is null without a terminal. */
export function terminal() {
  const { print, ask, isInteractive } = commandTerminal()
  return {
    log: (line) => print(`${line}\n`),
    question: isInteractive ? (question) => ask(`${question} `) : null,
  }
}
