// fieldfare accounts import-archive
import * as z from 'zod'
import { arg, commas, option } from '../command-line/declare.mjs'
import { Refused } from '../command-line/problems.mjs'
import { plain } from '../command-line/text.mjs'
import { Problem } from '../problem.mjs'
import { clientOf } from './client.mjs'
import { importArchive, readDocuments, steps } from './import-archive.mjs'
import { noteToken, revokeLeftTokens } from './left-tokens.mjs'
import { openArchive } from './open-archive.mjs'

const Marks = z.object({ marked: z.int(), unknown: z.int() })
const uri = z.string().nullable()
const Report = z.object({
  actor: z.string(),
  imported: z.int(),
  known: z.int(),
  refused: z.array(z.object({ uri, reason: z.string() })),
  missing_files: z.array(z.object({ uri, file: z.string(), reason: z.string() })),
  profile: z.array(z.string()),
  favourites: Marks,
  bookmarks: Marks,
})

const only = commas.refine(
  (names) => names.length > 0 && names.every((name) => steps.includes(name)),
  `must be of ${steps.join(', ')}`,
)

export const importArchiveCommand = {
  name: 'import-archive',
  summary: 'Imports the archive of an account elsewhere, with its posts at their dates; a second run goes on',
  args: [
    arg('NAME', 'Username of the member whose posts they become'),
    arg('FILE', 'Archive of Mastodon, Pleroma or Fieldfare: zip, tar.gz, or a folder'),
  ],
  options: { only: option('LIST', `Parts with commas (${steps.join(',')})`, only) },
  calls: [
    'POST /setup/tokens/create',
    'GET /api/v1/accounts/verify_credentials',
    'POST /api/fieldfare/v1/archive_imports',
    'POST /api/fieldfare/v1/archive_imports/:id/profile',
    'POST /api/fieldfare/v1/archive_imports/:id/known',
    'POST /api/fieldfare/v1/archive_imports/:id/media',
    'POST /api/fieldfare/v1/archive_imports/:id/statuses',
    'POST /api/fieldfare/v1/archive_imports/:id/marks',
    'GET /api/v2/search',
    'GET /api/fieldfare/v1/admin/accounts/lookup',
    'DELETE /api/fieldfare/v1/admin/accounts/:id/tokens/:token_id',
  ],
  result: Report,
  run: async ({ input, instance, progress }) => {
    const { signal, release } = listenForStop()
    try {
      const archive = await openArchive(input.file, { signal })
      try {
        const documents = await readDocuments(archive)
        const report = await asMember(instance, { username: input.name, signal }, (client) =>
          importArchive({ client, archive, documents, only: input.only, progress }),
        )
        return { actor: documents.actor, ...report }
      } finally {
        archive.close()
      }
    } finally {
      release()
    }
  },
  lines: (report, { name }) => [
    `${name} has ${report.imported} more posts, of ${report.actor}.`,
    ...(report.profile.length > 0 ? [`The profile has ${report.profile.join(', ')} of the archive.`] : []),
    ...(report.known > 0 ? [`${report.known} were imported before.`] : []),
    ...markLines(report),
    ...report.refused.map(({ uri: address, reason }) =>
      plain(`refused  ${address ?? 'an entry'}  ${reason}`),
    ),
    ...report.missing_files.map(({ file, reason }) => plain(`file     ${file}  ${reason}`)),
  ],
}

function markLines(report) {
  return ['favourites', 'bookmarks'].flatMap((kind) => {
    const { marked, unknown } = report[kind]
    const missing = unknown === 0 ? '' : `, ${unknown} of posts that cannot be had`
    return marked + unknown === 0 ? [] : [`${marked} ${kind}${missing}.`]
  })
}

/** A signal that aborts once the process is asked to end, so that what was made for the import is removed. */
function listenForStop() {
  const controller = new AbortController()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const stop = () =>
    controller.abort(new Problem('Stopped. Run the same command again: it goes on where it stopped.'))
  for (const name of signals) process.once(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}

/**
 * Acts as a member: by a token that the set-up token makes and that ends with the import, else by the token of the
 * command, if it is the member's own.
 */
async function asMember(instance, { username, signal }, act) {
  const origin = await instance.origin()
  const made = await tokenFor(instance, username)
  if (made !== null) {
    const forget = noteToken({ origin, account: made.account, id: made.id })
    try {
      await revokeLeftTokens(instance, origin)
      return await act(clientOf(origin, made.token, { signal }))
    } finally {
      await instance.admin('DELETE', `accounts/${made.account}/tokens/${made.id}`)
      forget()
    }
  }
  const client = clientOf(origin, await instance.token(), { signal })
  const owner = await client.call('GET', '/api/v1/accounts/verify_credentials')
  if (owner.username.toLowerCase() !== username.toLowerCase())
    throw new Problem(`The token is one of ${owner.username}: take one of ${username}, or the set-up token.`)
  return act(client)
}

async function tokenFor(instance, username) {
  try {
    const made = await instance.setup('tokens/create', { username, scopes: ['read', 'write'] })
    const account = await instance.admin('GET', 'accounts/lookup', { acct: username })
    return { ...made, account: account.id }
  } catch (failure) {
    if (failure instanceof Refused && [401, 403].includes(failure.status)) return null
    throw failure
  }
}
