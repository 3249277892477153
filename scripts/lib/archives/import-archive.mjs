// Import of an archive: reads it, and sends it to the server in parts.
import { Refused } from '../command-line/problems.mjs'
import { Problem } from '../problem.mjs'
import { mediaIn, pictureIn } from './media-paths.mjs'

const itemsOfPart = 20
/** The server takes a megabyte, with the addresses of the files. */
const bytesOfPart = 600_000
const bytesOfItem = 950_000
const lengthOfAddress = 2_048
const knownAtOnce = 200
const marksAtOnce = 20
const root = '/api/fieldfare/v1/archive_imports'

export const steps = ['profile', 'posts', 'shares', 'favourites', 'bookmarks']

/** The documents of an archive; a `Problem` says what it lacks. */
export async function readDocuments(archive) {
  const outbox = await readJson(archive, 'outbox.json')
  if (outbox === null) throw new Problem('There is no outbox.json in the archive: is it one of Mastodon?')
  const items = itemsOf(outbox, 'outbox.json')
  const actor = await readJson(archive, 'actor.json')
  const id = [actor?.id, items.map((item) => item?.actor)].flat().find((one) => typeof one === 'string')
  if (id === undefined) throw new Problem('The archive does not say whose it is: actor.json has no id.')
  const uris = async (name) => {
    const list = await readJson(archive, name)
    const all = list === null ? [] : itemsOf(list, name)
    return all
      .map((one) => (typeof one === 'string' ? one : one?.id))
      .filter((one) => typeof one === 'string')
  }
  return {
    actor: id,
    profile: actor,
    followers: typeof actor?.followers === 'string' ? actor.followers : undefined,
    items: items.toSorted((one, other) => dateOf(one) - dateOf(other)),
    favourites: await uris('likes.json'),
    bookmarks: await uris('bookmarks.json'),
  }
}

async function readJson(archive, name) {
  const path = [...archive.names].find((one) => one === name || one.endsWith(`/${name}`))
  if (path === undefined) return null
  try {
    return JSON.parse((await archive.read(path)).toString('utf8'))
  } catch (failure) {
    if (failure instanceof SyntaxError) throw new Problem(`${name} in the archive is no JSON.`)
    throw failure
  }
}

function itemsOf(collection, name) {
  if (Array.isArray(collection?.orderedItems)) return collection.orderedItems
  throw new Problem(`${name} in the archive has no orderedItems.`)
}

function dateOf(item) {
  return Date.parse(item?.published ?? item?.object?.published ?? '') || 0
}

/**
 * Sends the documents of an archive as a member by their client, and answers what became of it. Parts that were imported
 * before are left out, so that a run that was stopped continues.
 */
export async function importArchive({
  client,
  archive,
  documents,
  only = steps,
  progress = () => undefined,
}) {
  const { id } = await client.call('POST', root, { actor: documents.actor, followers: documents.followers })
  const run = { client, archive, path: `${root}/${id}`, progress, report: newReport() }
  const [shares, posts] = partition(documents.items, (item) => item?.type === 'Announce')
  if (only.includes('profile')) await importProfile(run, documents.profile)
  if (only.includes('posts')) await importItems(run, posts, 'Posts')
  if (only.includes('shares')) await importItems(run, shares, 'Shared posts')
  for (const kind of ['favourites', 'bookmarks'])
    if (only.includes(kind)) await importMarks(run, kind, documents[kind])
  return run.report
}

function newReport() {
  return {
    imported: 0,
    known: 0,
    refused: [],
    missing_files: [],
    profile: [],
    favourites: { marked: 0, unknown: 0 },
    bookmarks: { marked: 0, unknown: 0 },
  }
}

/** Properties of the actor document with a picture, by the names that the server has for these. */
const pictures = { avatar: 'icon', header: 'image' }

/** Fills what is empty in the profile: texts first, then each picture, which the server may refuse. */
async function importProfile({ client, archive, path, report }, actor) {
  if (typeof actor?.id !== 'string') return
  const restore = async (body) =>
    report.profile.push(...(await client.call('POST', `${path}/profile`, body)).restored)
  if (bytesOf(actor) <= bytesOfItem) await restore({ actor })
  for (const [kind, property] of Object.entries(pictures)) {
    const { url, name } = pictureIn(actor[property], archive.names)
    if (name === null) continue
    const form = new FormData()
    form.append(kind, new Blob([await archive.read(name)]), name.split('/').at(-1))
    try {
      await restore(form)
    } catch (failure) {
      if (!(failure instanceof Refused) || ![413, 422].includes(failure.status)) throw failure
      report.missing_files.push({ uri: actor.id, file: url, reason: reasonOf(failure) })
    }
  }
}

/** Sentences for people about a file that the server refused. */
function reasonOf(refusal) {
  return refusal.naming((field) => field).reason
}

function partition(all, test) {
  return [all.filter(test), all.filter((one) => !test(one))]
}

async function importItems(run, items, what) {
  let done = 0
  for (let at = 0; at < items.length; at += knownAtOnce) {
    const some = items.slice(at, at + knownAtOnce)
    const unknown = await withoutKnown(run, some)
    const left = withoutHuge(run, unknown)
    done += some.length - left.length
    for (const part of partsOf(left)) {
      await sendPart(run, part)
      done += part.length
      run.progress(Math.min(done, items.length - 1), items.length, what)
    }
  }
  run.progress(items.length, items.length, what)
}

async function withoutKnown({ client, path, report }, items) {
  const uris = [...new Set(items.flatMap((item) => uriOf(item) ?? []))]
  const known = new Set(uris.length === 0 ? [] : await client.call('POST', `${path}/known`, { uris }))
  const left = items.filter((item) => !known.has(uriOf(item)))
  report.known += items.length - left.length
  return left
}

/** Refuses what no request can hold: sent, it would stop this run and every one after it. */
function withoutHuge({ report }, items) {
  return items.filter((item) => {
    const isHuge = bytesOf(item) > bytesOfItem
    if (isHuge) report.refused.push({ uri: uriOf(item), reason: 'The entry is larger than the server takes' })
    return !isHuge
  })
}

function bytesOf(item) {
  return Buffer.byteLength(JSON.stringify(item) ?? '')
}

/** Address by which the server remembers an entry. */
function uriOf(item) {
  const uri = item?.type === 'Create' ? item.object?.id : item?.id
  return isAddress(uri) ? uri : null
}

function isAddress(uri) {
  return typeof uri === 'string' && uri !== '' && uri.length <= lengthOfAddress
}

function* partsOf(items) {
  let part = []
  let bytes = 0
  for (const item of items) {
    const size = bytesOf(item)
    if (part.length === itemsOfPart || (part.length > 0 && bytes + size > bytesOfPart)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += size
  }
  if (part.length > 0) yield part
}

async function sendPart(run, items) {
  const { client, path, report } = run
  const uploads = []
  for (const item of items) {
    if (item?.type === 'Announce') await resolveOriginal(run, item)
    else uploads.push(...(await uploadFiles(run, item)))
  }
  for (const result of await client.call('POST', `${path}/statuses`, { items, uploads })) {
    if (result.state === 'refused')
      report.refused.push({ uri: result.uri, reason: result.reason.replace(/^Validation failed: /, '') })
    else report[result.state] += 1
    const refused = new Set(report.missing_files.map(({ file }) => file))
    for (const file of result.missing_files)
      if (!refused.has(file))
        report.missing_files.push({ uri: result.uri, file, reason: 'It is not in the archive' })
  }
}

async function uploadFiles({ client, archive, path, report }, item) {
  const uploads = []
  for (const { url, name } of mediaIn(item, archive.names)) {
    if (name === null) continue
    const form = new FormData()
    form.append('file', new Blob([await archive.read(name)]), name.split('/').at(-1))
    try {
      uploads.push({ url, id: (await client.call('POST', `${path}/media`, form)).id })
    } catch (failure) {
      if (!(failure instanceof Refused) || ![413, 422].includes(failure.status)) throw failure
      report.missing_files.push({ uri: uriOf(item), file: url, reason: reasonOf(failure) })
    }
  }
  return uploads
}

/** Asks the server to fetch a reblogged remote post. One that cannot be fetched is refused with the part. */
async function resolveOriginal({ client }, { object }) {
  const uri = typeof object === 'string' ? object : object?.id
  if (typeof uri === 'string') await resolveAddress(client, uri)
}

async function resolveAddress(client, uri) {
  const query = new URLSearchParams({ q: uri, resolve: 'true', type: 'statuses', limit: '1' })
  try {
    await client.call('GET', `/api/v2/search?${query}`)
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure
  }
}

async function importMarks(run, kind, all) {
  const { client, path, report, progress } = run
  const uris = all.filter(isAddress)
  report[kind].unknown += all.length - uris.length
  const mark = (some) => client.call('POST', `${path}/marks`, { kind, uris: some })
  for (let at = 0; at < uris.length; at += marksAtOnce) {
    const results = await mark([...new Set(uris.slice(at, at + marksAtOnce))])
    const unknown = results.filter(({ state }) => state === 'unknown').map(({ uri }) => uri)
    for (const uri of unknown) await resolveAddress(client, uri)
    const again = unknown.length === 0 ? [] : await mark(unknown)
    const missing = again.filter(({ state }) => state === 'unknown').length
    report[kind].marked += results.length - missing
    report[kind].unknown += missing
    progress(at, uris.length, kind === 'favourites' ? 'Favourites' : 'Bookmarks')
  }
  progress(uris.length, uris.length, kind)
}
