// git in one folder. Its words are those of its commands; a refusal is a `Problem` with what it said.
import { spawnSync } from 'node:child_process'
import { Problem } from '../problem.mjs'

/** Author of commits where git knows none, as in a workflow. */
const author = {
  GIT_AUTHOR_NAME: 'Fieldfare update',
  GIT_AUTHOR_EMAIL: 'update@localhost',
  GIT_COMMITTER_NAME: 'Fieldfare update',
  GIT_COMMITTER_EMAIL: 'update@localhost',
}

/** Functions that run git in `folder`: `git` returns what it prints, `attempt` null where it refuses. */
export function gitIn(folder, environment = {}) {
  const knowsAuthor = spawnSync('git', ['config', 'user.email'], { cwd: folder }).status === 0
  const env = { ...process.env, ...(knowsAuthor ? {} : author), ...environment, LC_ALL: 'C' }
  const run = (words, input) =>
    spawnSync('git', words, { cwd: folder, env, input, encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
  return {
    git(...words) {
      return demand(run(words), words)
    },
    /** Runs git with a text as its input. */
    gitWith(input, ...words) {
      return demand(run(words, input), words)
    },
    attempt(...words) {
      const { status, stdout } = run(words)
      return status === 0 ? stdout.trim() : null
    },
  }
}

function demand({ status, stdout, stderr, error }, words) {
  if (status === 0) return stdout.trimEnd()
  throw new Problem(
    `git ${words.slice(0, 3).join(' ')} failed: ${error?.message ?? (stderr.trim() || stdout.trim())}`,
  )
}

/** Lines of what git printed, none for nothing. */
export function linesOf(text) {
  return text.split('\n').filter((line) => line !== '')
}
