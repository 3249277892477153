// Question before an act that is hard to undo.
import { createInterface } from 'node:readline/promises'

/** Whether the operator agrees: by `--yes`, or at the terminal. Without a terminal the answer is no. */
export async function confirm(question, { yes }) {
  if (yes) return true
  if (!process.stdin.isTTY) {
    console.error(`${question} Repeat the command with --yes to go on.`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
