// `npm run update`: brings the newest release into a copy of the repository. Needs git and Node, and no packages: .github/workflows/update.yml
// runs it in the copy.
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fail, Problem, problemOf } from './lib/problem.mjs'
import { goBack, update } from './lib/update/update.mjs'

const usage = `npm run update -- [--to VERSION] [--take FILE,FILE] [--from ADDRESS] [--back] [--dry-run]

  --to       version to update to; the newest, if not given
  --take     files that are taken from the release: your own changes of them are given up
  --from     address of the repository with the releases, in place of that in package.json
  --back     takes the last update back
  --dry-run  says what would be done`

const folder = fileURLToPath(new URL('..', import.meta.url))
try {
  const { help, ...options } = readOptions()
  if (help) console.log(usage)
  else tell(options.back ? wordsOfBack(goBack({ folder })) : wordsOfUpdate(options))
} catch (failure) {
  summarise(problemOf(failure)?.message ?? 'The update failed: the log says where.')
  fail(failure)
}

function readOptions() {
  const [flag, text] = [{ type: 'boolean', default: false }, { type: 'string' }]
  try {
    const { values } = parseArgs({
      options: { help: flag, back: flag, 'dry-run': flag, to: text, take: text, from: text },
    })
    return values
  } catch (failure) {
    throw new Problem(`${failure.message}\n\n${usage}`)
  }
}

function wordsOfUpdate({ to, take = '', from, 'dry-run': isDryRun }) {
  const done = update({
    folder,
    from,
    to: to === '' ? undefined : to,
    take: take.split(/[\s,]+/).filter((file) => file !== ''),
    isDryRun,
  })
  if (done === null) return 'This copy has the newest release already. Nothing was changed.'
  const { from: before, tag, files, workflows, mark } = done
  const left =
    workflows.length === 0
      ? ''
      : `\nWorkflow files are not changed by an update. Take these from ${tag} by hand, if you want them:\n${workflows.map((file) => `- ${file}`).join('\n')}`
  return `${isDryRun ? 'Would update' : 'Updated'} from ${before} to ${tag.slice(1)}: ${files.length} files. Ids and names in wrangler.toml are kept.
Mark of the database: ${mark}. Back to ${before}: start this again with "back" (--back); the database stays as it is.
Back to the data of before as well, which loses everything written since: npx wrangler d1 time-travel restore DB --timestamp=${mark} -c wrangler.toml${left}`
}

function wordsOfBack({ from, to, mark }) {
  return `Back from ${from} to ${to}. The database stays as it is: migrations only add.${
    mark === null
      ? ''
      : `\nBack to the data of before the update as well, which loses everything written since: npx wrangler d1 time-travel restore DB --timestamp=${mark} -c wrangler.toml`
  }`
}

function tell(words) {
  console.log(words)
  summarise(words)
}

/** Shows the words on the page of the run of a workflow. */
function summarise(words) {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file !== undefined) appendFileSync(file, `${words}\n`)
}
