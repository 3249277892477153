import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { mediaIn } from '../../scripts/lib/archives/media-paths.mjs'
import { openArchive } from '../../scripts/lib/archives/open-archive.mjs'
import { actorDocument, addressOf, archivedPost, collectionDocument } from '../support/mastodon-archive'
import { wholeArchive } from '../support/whole-archive'
import { zipOf } from '../support/zip'
import { runCommand } from './instance'

const picture = readFileSync('test/data/media/rgba.png')
const { files } = wholeArchive(25, picture)
const long = `media_attachments/${'a-long-name/'.repeat(9)}picture.png`
const all = new Map([...files, [long, picture]])

const Part = z.object({ items: z.array(z.unknown()) })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-archives-'))
  for (const [name, bytes] of all) {
    mkdirSync(join(folder, 'unpacked', dirname(name)), { recursive: true })
    writeFileSync(join(folder, 'unpacked', name), bytes)
  }
  for (const format of ['gnu', 'pax', 'ustar'])
    execFileSync('tar', [
      '-czf',
      join(folder, `${format}.tar.gz`),
      `--format=${format}`,
      '-C',
      join(folder, 'unpacked'),
      '.',
    ])
  execFileSync('tar', ['-cf', join(folder, 'plain.tar'), '-C', join(folder, 'unpacked'), '.'])
  writeFileSync(join(folder, 'archive.zip'), zipOf(all))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const temporary = process.env['TMPDIR']
/** Archives are unpacked where nobody else does. */
function unpackBelowFolder() {
  process.env['TMPDIR'] = folder
}
function unpackElsewhere() {
  if (temporary === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = temporary
}

const written = (name: string, bytes: string | Uint8Array) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

describe('an archive file', () => {
  it.each(['gnu.tar.gz', 'pax.tar.gz', 'ustar.tar.gz', 'plain.tar', 'archive.zip', 'unpacked'])(
    'reads each file of a %s archive with its bytes',
    async (name) => {
      const archive = await openArchive(join(folder, name))
      try {
        expect([...archive.names].toSorted()).toEqual([...all.keys()].toSorted())
        for (const [path, bytes] of all) expect(Buffer.compare(await archive.read(path), bytes), path).toBe(0)
      } finally {
        archive.close()
      }
    },
  )

  it('uses the later of two files with one name, and the others unchanged', async () => {
    const path = join(folder, 'twice.tar')
    const append = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      execFileSync('tar', ['-rf', path, '-C', folder, name])
    }
    for (const [name, text] of [
      ['twice.txt', 'first'],
      ['other.txt', 'other'],
      ['twice.txt', 'second'],
      ['last.txt', 'last'],
    ] as const)
      append(name, text)
    const archive = await openArchive(path)
    try {
      const texts = await Promise.all(
        ['twice.txt', 'other.txt', 'last.txt'].map(async (name) => String(await archive.read(name))),
      )
      expect(texts).toEqual(['second', 'other', 'last'])
    } finally {
      archive.close()
    }
  })

  it('refuses a missing, damaged or truncated archive with a sentence', async () => {
    const zip = zipOf(all)
    const tar = readFileSync(join(folder, 'gnu.tar.gz'))
    const bad = [
      join(folder, 'nowhere.zip'),
      written('text.txt', 'This is no archive, however long it may be. '.repeat(100)),
      written('short.zip', zip.subarray(0, zip.length / 2)),
      written('short.tar.gz', tar.subarray(0, tar.length / 2)),
      written('other.gz', gzipSync('Not a tar file'.repeat(100))),
    ]
    for (const path of bad) {
      const run = await runCommand([
        'accounts',
        'import-archive',
        'wren',
        path,
        '--url',
        'http://127.0.0.1:1',
      ])
      expect(run.code, path).toBe(1)
      expect(run.problem).toMatch(/cannot be read|no archive that can be read/)
      expect(run.problem).not.toMatch(/\n\s+at /)
    }
  })

  it('refuses an archive without an outbox, or with an invalid one, with a sentence', async () => {
    const cases = [
      [new Map([['actor.json', '{}']]), /no outbox\.json/],
      [new Map([['outbox.json', '{']]), /is no JSON/],
      [new Map([['outbox.json', '{"orderedItems":5}']]), /no orderedItems/],
      [new Map([['outbox.json', '{"orderedItems":[]}']]), /does not say whose it is/],
    ] as const
    for (const [texts, reason] of cases) {
      const bytes = new Map([...texts].map(([name, text]) => [name, Buffer.from(text)]))
      const path = written('odd.zip', zipOf(bytes))
      const run = await runCommand([
        'accounts',
        'import-archive',
        'wren',
        path,
        '--url',
        'http://127.0.0.1:1',
      ])
      expect(run).toMatchObject({ code: 1, problem: expect.stringMatching(reason) })
    }
  })
})

/** A tar file with a folder that says to hold this much, and does. */
function foldersOf(size: number): Buffer {
  const header = Buffer.alloc(512)
  header.write('folder/', 0)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        5', 148)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, Buffer.alloc(size + 1_024)])
}

describe('a tar archive', () => {
  const bounds = { factor: 20, base: 1_048_576, files: 40, free: 0 }
  const leftovers = () => readdirSync(folder).filter((name) => name.startsWith('fieldfare-archive-'))
  beforeAll(unpackBelowFolder)
  afterAll(unpackElsewhere)

  it('refuses an archive that unpacks to far more than its size, or to too many files, and keeps nothing of it', async () => {
    const bomb = join(folder, 'bomb')
    mkdirSync(bomb)
    writeFileSync(join(bomb, 'zeros'), Buffer.alloc(8_388_608))
    execFileSync('tar', ['-czf', join(folder, 'bomb.tar.gz'), '-C', bomb, '.'])
    await expect(openArchive(join(folder, 'bomb.tar.gz'), { bounds })).rejects.toThrow(/unpacks to more/)
    writeFileSync(join(bomb, 'hidden.tar'), foldersOf(8_388_608))
    const few = { ...bounds, base: 1_073_741_824, files: 3 }
    await expect(openArchive(join(folder, 'gnu.tar.gz'), { bounds: few })).rejects.toThrow(/unpacks to more/)
    expect(leftovers()).toEqual([])
    const whole = await openArchive(join(folder, 'bomb.tar.gz'))
    whole.close()
    // A folder with a size: a kind of entry that is left out.
    const hidden = readFileSync(join(folder, 'bomb', 'hidden.tar'))
    const path = written('hidden.tar.gz', gzipSync(hidden))
    await expect(openArchive(path, { bounds })).rejects.toThrow(/unpacks to more/)
    expect(leftovers()).toEqual([])
  })

  it('deletes the unpacked files of a killed run, and keeps those of a running one', async () => {
    const [killed, running] = [`fieldfare-archive-4194305-a`, `fieldfare-archive-${process.ppid}-b`]
    for (const name of [killed, running]) mkdirSync(join(folder, name))
    const archive = await openArchive(join(folder, 'gnu.tar.gz'))
    expect(leftovers()).toHaveLength(2)
    archive.close()
    expect(leftovers()).toEqual([running])
  })
})

describe('an import', () => {
  const asked: { readonly method: string; readonly path: string; readonly text: string }[] = []
  let during: () => void = () => undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const [text, path, method] = [Buffer.concat(chunks).toString(), request.url ?? '', request.method ?? '']
    asked.push({ method, path, text })
    const answer = (): readonly [number, unknown] => {
      if (path === '/setup/tokens/create') return [200, { id: '7', token: 'made' }]
      if (path.includes('/accounts/lookup')) return [200, { id: '5' }]
      if (path.endsWith('/known')) return [200, []]
      if (path.endsWith('/profile')) return [200, { restored: [] }]
      if (!path.endsWith('/statuses')) return [200, { id: '1' }]
      during()
      if (text.length > 1_048_576) return [413, { error: 'The request is too large' }]
      const { items } = Part.parse(JSON.parse(text))
      return [200, items.map(() => ({ state: 'imported', uri: null, missing_files: [] }))]
    }
    const [status, body] = answer()
    response.writeHead(status).end(JSON.stringify(body))
  })
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${z.object({ port: z.int() }).parse(server.address()).port}`
  })
  afterAll(() => void server.close())
  beforeEach(() => {
    asked.length = 0
    during = () => undefined
  })
  const imported = (path: string) =>
    runCommand(['accounts', 'import-archive', 'wren', path, '--url', url, '--json'], {
      env: { SETUP_TOKEN: 'secret' },
    })
  const revoked = () => asked.filter(({ method, path }) => method === 'DELETE' && path.endsWith('/tokens/7'))

  it('a stopped import revokes its token and deletes what it unpacked', async () => {
    unpackBelowFolder()
    during = () => void process.emit('SIGHUP')
    const run = await imported(join(folder, 'gnu.tar.gz'))
    unpackElsewhere()
    expect(run).toMatchObject({ code: 1, problem: expect.stringContaining('it goes on where it stopped') })
    expect(asked.filter(({ path }) => path.endsWith('/statuses'))).toHaveLength(1)
    expect(revoked()).toHaveLength(1)
    expect(readdirSync(folder).filter((name) => name.startsWith(`fieldfare-archive-${process.pid}`))).toEqual(
      [],
    )
    expect(process.listenerCount('SIGHUP')).toBe(0)
  })

  it('an import revokes the tokens of killed runs, on this server, and of no running one', async () => {
    const noted = (pid: number, id: string, origin: string) => {
      const note = join(folder, `fieldfare-token-${pid}-${id}`)
      mkdirSync(note)
      writeFileSync(join(note, 'note.json'), JSON.stringify({ origin, account: '6', id }))
    }
    noted(4_194_305, '8', url)
    noted(4_194_305, '9', 'https://elsewhere.test')
    noted(process.ppid, '10', url)
    mkdirSync(join(folder, 'fieldfare-token-4194305-half'))
    const notes = () => readdirSync(folder).filter((name) => name.startsWith('fieldfare-token-'))
    let [held, holdsToken] = [0, true]
    during = () => {
      held = notes().filter((name) => name.includes(`-${process.pid}-`)).length
      holdsToken = notes().some((name) =>
        readFileSync(join(folder, name, 'note.json'), 'utf8').includes('made'),
      )
    }
    unpackBelowFolder()
    const outbox = collectionDocument('outbox', [archivedPost(3, '2019-05-05T10:20:30Z', 'Left')])
    const documents = { 'actor.json': actorDocument(), 'outbox.json': outbox }
    const zip = zipOf(
      new Map(
        Object.entries(documents).map(([name, document]) => [name, Buffer.from(JSON.stringify(document))]),
      ),
    )
    const run = await imported(written('left.zip', zip))
    unpackElsewhere()
    expect(run).toMatchObject({ code: 0 })
    expect([held, holdsToken]).toEqual([1, false])
    const deleted = asked
      .filter(({ method }) => method === 'DELETE')
      .map(({ path }) => path.split('/accounts/')[1])
    expect(deleted).toEqual(['6/tokens/8', '5/tokens/7'])
    expect(notes().toSorted()).toEqual(
      [`fieldfare-token-${process.ppid}-10`, 'fieldfare-token-4194305-9'].toSorted(),
    )
  })

  it('an import reads containers of FEP-6fcd', async () => {
    const container = join(folder, 'container', 'activitypub')
    mkdirSync(container, { recursive: true })
    writeFileSync(join(folder, 'container', 'manifest.yml'), 'ubc-version: 0.1\ncontents: {}\n')
    const items = [archivedPost(3, '2019-05-05T10:20:30Z', 'Contained')]
    const documents = { 'actor.json': actorDocument(), 'outbox.json': collectionDocument('outbox', items) }
    for (const [name, document] of Object.entries(documents))
      writeFileSync(join(container, name), JSON.stringify(document))
    const path = join(folder, 'container.tar')
    execFileSync('tar', ['-cf', path, '-C', join(folder, 'container'), '.'])
    const run = await imported(path)
    expect(run).toMatchObject({ code: 0, problem: '' })
    expect(JSON.parse(run.out)).toMatchObject({ imported: 1, refused: [] })
  })

  it('refuses an entry that is too large for a request, and long addresses, and imports the others', async () => {
    const huge = archivedPost(1, '2019-05-04T10:20:30Z', 'x'.repeat(1_200_000))
    const items = [huge, archivedPost(2, '2019-05-05T10:20:30Z', 'Small')]
    const documents = {
      'actor.json': actorDocument(),
      'outbox.json': collectionDocument('outbox', items),
      'likes.json': collectionDocument('likes', [`${addressOf(1)}/${'x'.repeat(3_000)}`, '']),
    }
    const texts = Object.entries(documents).map(
      ([name, document]) => [name, Buffer.from(JSON.stringify(document))] as const,
    )
    const run = await imported(written('huge.zip', zipOf(new Map(texts))))
    expect(run).toMatchObject({ code: 0, problem: '' })
    expect(JSON.parse(run.out)).toMatchObject({
      imported: 1,
      refused: [{ uri: addressOf(1), reason: expect.stringContaining('larger') }],
      favourites: { marked: 0, unknown: 2 },
    })
  })
})

it('finds files of a post by paths as Mastodon writes them, with and without an object store', () => {
  const name = 'media_attachments/files/000/1/original/a b.png'
  const names = new Set([name])
  const urls = [
    name,
    `/${name}`,
    `/bucket/${name}`,
    `/system/${name}`,
    `https://files.example/${encodeURI(name)}?x=1`,
  ]
  for (const url of [...urls, '../../etc/passwd', '%', 5, ''])
    expect(mediaIn({ type: 'Create', object: { attachment: [{ url }] } }, names)).toEqual(
      typeof url !== 'string' || url === '' ? [] : [{ url, name: urls.includes(url) ? name : null }],
    )
})
