import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { classes, declaredNames } from './declarations'
import {
  documents,
  exists,
  type NamedCode,
  namesOfCodeIn,
  pathsNamedIn,
  problemOf,
  read,
  relativeLinks,
  scriptsNamedIn,
} from './documents'
import { chaptersOf, type Hop } from './journeys'
import { importsOf, resolver, sourceFiles } from './source'

const all = documents()
/** Attributes of cookies, which no code declares. */
const wordsOfHttp: ReadonlySet<string> = new Set(['HttpOnly', 'SameSite'])
const under = (folder: string) => all.filter(({ path }) => path.startsWith(folder))

describe('documents', () => {
  it('documents are seen by this guard', () => {
    expect(all.length).toBeGreaterThan(30)
    expect(all.flatMap(relativeLinks).length).toBeGreaterThan(100)
    expect(all.flatMap(pathsNamedIn).length).toBeGreaterThan(100)
  })

  for (const document of all)
    it(`${document.path}: every relative link leads to a file, and every anchor to a heading`, () => {
      const broken = relativeLinks(document).flatMap((link) => {
        const problem = problemOf(document, link)
        return problem === null ? [] : [`${link}: ${problem}`]
      })
      expect(broken).toEqual([])
    })

  for (const document of all)
    it(`${document.path}: every path of the project that it names exists`, () => {
      expect(pathsNamedIn(document).filter((path) => !exists(path))).toEqual([])
    })

  it('documents name only current identifiers of the code', () => {
    const files = [...sourceFiles('src'), ...sourceFiles('test'), ...sourceFiles('scripts')]
    const keys = Object.keys(
      z.record(z.string(), z.string()).parse(JSON.parse(read('public/messages/en.json').text)),
    )
    const declared = new Set([...declaredNames(files), ...keys.flatMap((key) => key.split('.'))])
    const members = classes(sourceFiles('src'))
    const isThere = ({ name, owner }: NamedCode) => {
      const ofClass = members.get(`${owner?.[0]?.toUpperCase()}${owner?.slice(1)}`)
      return (ofClass ?? declared).has(name) || wordsOfHttp.has(name)
    }
    const named = all.flatMap((document) =>
      namesOfCodeIn(document).map((one) => ({ path: document.path, ...one })),
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((one) => !isThere(one))).toEqual([])
    const planted = namesOfCodeIn({
      text: '`changes.tell()`, `changes.publish()`, `ctx.jobs.send()`, `sendNothing`',
    })
    expect(planted.filter((one) => !isThere(one)).map(({ name }) => name)).toEqual(['tell', 'sendNothing'])
  })

  it('documents name only scripts that package.json has', () => {
    const Manifest = z.object({ scripts: z.record(z.string(), z.string()) })
    const { scripts } = Manifest.parse(JSON.parse(read('package.json').text))
    const unknown = all.flatMap((document) =>
      scriptsNamedIn(document)
        .filter((name) => !Object.hasOwn(scripts, name))
        .map((name) => `${document.path}: npm run ${name}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('README.md', () => {
  it('README.md has at most 4 KB: what is longer belongs into docs', () => {
    expect(Buffer.byteLength(read('README.md').text)).toBeLessThanOrEqual(4_096)
  })

  it('shows a picture of at most 150 KB', () => {
    const pictures = relativeLinks(read('README.md')).filter((link) => /\.(png|webp)$/.test(link))
    expect(pictures).not.toEqual([])
    for (const picture of pictures) expect(statSync(picture).size).toBeLessThanOrEqual(150_000)
  })
})

describe('commands of wrangler', () => {
  // wrangler.toml names no account and no database: without the file of the deployment they fail, or meet another Worker.
  // Only that of a copy which Cloudflare deploys has ids: going back to the mark of an update names it.
  it('commands of wrangler name the configuration of the deployment', () => {
    const found = [...all, ...sourceFiles('scripts')].flatMap(({ path, text }) =>
      [...text.matchAll(/(?:`|^|'|: |\? )npx wrangler ([a-z][^`'\n#)]*(?:\n[^`'\n#)]+(?=`))?)/gm)].map(
        ([, command = '']) => ({ path, command }),
      ),
    )
    const ofCopy = /^d1 time-travel restore DB --timestamp=\S+ -c wrangler\.toml\b/
    const bound = found.filter(
      ({ command }) => !/^(login|d1 export)\b/.test(command) && !ofCopy.test(command),
    )
    expect(bound.length).toBeGreaterThan(10)
    expect(bound.filter(({ command }) => !command.includes('-c wrangler.local.toml'))).toEqual([])
  })
})

describe('docs/operate/configure.md', () => {
  it('lists every variable that the server reads, and no other', () => {
    const settings =
      /const Settings = z\.object\(\{([\s\S]*?)^\}\)/m.exec(read('src/config.ts').text)?.[1] ?? ''
    // AI is a binding.
    const variables = [...settings.matchAll(/^ {2}([A-Z_]+):/gm)]
      .map(([, name]) => name)
      .filter((one) => one !== 'AI')
    const listed = [...read('docs/operate/configure.md').text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
      ([, name]) => name,
    )
    expect(variables.length).toBeGreaterThan(10)
    expect(listed.toSorted()).toEqual(variables.toSorted())
  })
})

describe('the picture of the floors', () => {
  it('shows each concept of the domain on its floor', () => {
    const [, declared = ''] =
      /const floors[^=]*= \[([\s\S]*?)^\]/m.exec(read('test/guard/imports.test.ts').text) ?? []
    const floors = [...declared.matchAll(/\[([^\]]*)\]/g)].map(([, row = '']) => [
      ...row.matchAll(/'([^']+)'/g),
    ])
    const picture = read('docs/images/floors.svg').text
    const drawn = [...picture.matchAll(/<g class="floor" id="floor-(\d+)">([\s\S]*?)<\/g>/g)].map(
      ([, n, group = '']) => [
        Number(n),
        [...group.matchAll(/<text class="concept"[^>]*>([^<]+)<\/text>/g)].flatMap(([, names = '']) =>
          names.split(' · '),
        ),
      ],
    )
    expect(floors.length).toBeGreaterThan(5)
    expect(Object.fromEntries(drawn)).toEqual(
      Object.fromEntries(floors.map((row, index) => [index + 1, row.map(([, name]) => name)])),
    )
  })
})

describe('docs/decisions', () => {
  const records = under('docs/decisions/').filter(({ path }) => !path.endsWith('README.md'))

  it('docs/decisions are numbered from 0001 without a gap', () => {
    expect(records.map(({ path }) => Number(path.slice('docs/decisions/'.length).slice(0, 4)))).toEqual(
      records.map((_, index) => index + 1),
    )
  })

  for (const { path, text } of records)
    it(`${path}: has its status, context, choice, price and when to reopen it`, () => {
      expect(text).toMatch(/^# \d{4}\. .+\n\n(Accepted|Superseded by \[.+\]\(.+\)), \d{4}-\d{2}-\d{2}\n/)
      expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
        'Context',
        'Choice',
        'Price',
        'Reopen when',
      ])
    })

  it('docs/decisions are all in the index, under their titles', () => {
    const index = read('docs/decisions/README.md').text
    const missing = records.filter(({ path, text }) => {
      const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(text) ?? []
      return !index.includes(`[${number}](${path.split('/').at(-1)}) ${title}`)
    })
    expect(missing.map(({ path }) => path)).toEqual([])
  })
})

describe('docs/develop/journeys', () => {
  const sources = sourceFiles('src')
  const find = resolver(sources)
  const imports = new Map(sources.map((file) => [file.path, new Set(importsOf(file).map(find))]))
  /** Files that register others, or that plug an implementation into a port. */
  const joining = ['src/index.ts', 'src/app.ts', 'src/api/index.ts', 'src/wire.ts']
  const leadsTo = (from: string, { path, isNested }: Hop) =>
    imports.get(from)?.has(path) === true ||
    (!isNested && joining.includes(path) && imports.get(path)?.has(from) === true)

  it('docs/develop/journeys are the four: a post, a deletion, a delivery that comes in, the home timeline', () => {
    const names = under('docs/develop/journeys/').map(({ path }) => path.split('/').at(-1))
    expect(names).toEqual(['delete.md', 'home.md', 'inbound.md', 'post.md'])
  })

  for (const document of under('docs/develop/journeys/')) {
    const chapters = chaptersOf(document)
    const hops = chapters.flatMap((chapter) => chapter.hops)

    it(`${document.path}: begins every numbered item with a link to a file of src`, () => {
      expect(chapters.flatMap(({ unreadable }) => unreadable)).toEqual([])
      expect(chapters.filter((chapter) => chapter.hops.length < 2).map(({ title }) => title)).toEqual([])
      expect(hops.filter(({ path }) => !imports.has(path))).toEqual([])
    })

    it(`${document.path}: begins at the entry point, and every chapter at a file named before`, () => {
      const known = new Set(['src/index.ts'])
      for (const { title, hops } of chapters) {
        expect(known, title).toContain(hops[0]?.path)
        for (const { path } of hops) known.add(path)
      }
    })

    it(`${document.path}: each file imports the next, or is registered with it`, () => {
      const broken = hops.filter((hop) => hop.from !== null && !leadsTo(hop.from, hop))
      expect(broken.map(({ from, path }) => `${from} does not lead to ${path}`)).toEqual([])
    })
  }
})
