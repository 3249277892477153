// Terminal of a command. Tests pass their own.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * { print, complain, env, isInteractive, ask, askSecret, showProgress }: what a command prints and reads. Questions and
 * progress go to stderr, so that stdout holds the result alone.
 */
export function terminal() {
  return {
    env: process.env,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    ask: (question) => answerTo(question, process.stderr),
    askSecret: (question) => {
      process.stderr.write(question)
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
      return answerTo('', silent).finally(() => process.stderr.write('\n'))
    },
    showProgress: process.stderr.isTTY ? (line) => void process.stderr.write(`\r\u001b[2K${line}`) : null,
  }
}

async function answerTo(question, output) {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}
