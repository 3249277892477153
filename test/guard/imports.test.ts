import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { importsOf, resolver, sourceFiles } from './source'

/** A file imports its own level or below, and edges never each other. `src/cloudflare` is an edge. */
const levels: readonly (readonly [RegExp, number])[] = [
  [/^src\/(lib|contract|messages)\//, 0],
  [/^src\/errors(\.ts|\/)/, 0],
  [/^src\/db\//, 1],
  [/^src\/ports\//, 1],
  [/^src\/config\.ts$/, 1],
  [/^src\/domain\//, 2],
  [/^src\/view\//, 3],
  [/^src\/(api|oauth|activitypub|streaming|web|media-server|operator|jobs|cron|cloudflare|islands)\//, 4],
  [/^src\/[^/]+\.tsx?$/, 5],
]

const edge =
  /^src\/(api|oauth|activitypub|streaming|web|media-server|operator|jobs|cron|cloudflare|islands)\//

/** The domain from its lowest floor to its highest: a concept imports only concepts of lower floors. */
const floors: readonly (readonly string[])[] = [
  ['core'],
  ['servers', 'metrics'],
  [
    'policy',
    'instance',
    'relays',
    'sign-up-blocks',
    'links',
    'lists',
    'tags',
    'markers',
    'drafts',
    'featured-tags',
  ],
  ['usage', 'notifications', 'conversations', 'media', 'streams', 'crypto', 'imports-exports'],
  ['sessions', 'health', 'polls', 'custom-emojis'],
  ['users', 'accounts'],
  ['trends', 'suggestions', 'search', 'collections', 'annual-reports', 'sign-in'],
  ['timelines', 'relationships'],
  ['statuses'],
  ['interactions', 'filters', 'reports', 'translations', 'announcements'],
  ['backups', 'cleanup', 'moderation', 'pruning', 'secrets', 'webhooks'],
]

function levelOf(path: string): number {
  const found = levels.find(([pattern]) => pattern.test(path))
  if (found === undefined)
    throw new Error(`${path} lies in no level: add its folder to architecture and guard`)
  return found[1]
}

const files = sourceFiles('src')
const find = resolver(files)
const graph = new Map(
  files.map((file) => [
    file.path,
    importsOf(file).flatMap((name) => {
      const target = find(name)
      return target === null ? [] : [target]
    }),
  ]),
)

const arrows = [...graph].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))

describe('imports', () => {
  it('imports are seen by this guard', () => {
    expect(arrows.length).toBeGreaterThan(100)
  })

  it('imports name only packages the Worker ships with: what tests need stays out of the bundle', () => {
    const manifest = z.object({ dependencies: z.record(z.string(), z.string()) })
    const text = readFileSync('package.json', 'utf8')
    const shipped = Object.keys(manifest.parse(JSON.parse(text)).dependencies)
    const packages = files
      .flatMap(importsOf)
      .filter((name) => !/^(src\/|public\/|package\.json|node:|cloudflare:)/.test(name))
    const strangers = packages.filter(
      (name) => !shipped.some((own) => name === own || name.startsWith(`${own}/`)),
    )
    expect(packages.length).toBeGreaterThan(100)
    expect(strangers).toEqual([])
  })

  it('imports point at the same level or below; a need that points up becomes a port in src/ports', () => {
    const upward = arrows.filter(({ from, to }) => levelOf(from) < levelOf(to))
    expect(upward).toEqual([])
  })

  it('never join two edges; what both need lives in domain', () => {
    const folder = (path: string) => edge.exec(path)?.[1]
    const across = arrows.filter(({ from, to }) => {
      const [a, b] = [folder(from), folder(to)]
      return a !== undefined && b !== undefined && a !== b
    })
    expect(across).toEqual([])
  })

  it('imports lead from scripts of pages to nothing of the Worker but pure helpers', () => {
    const heavy = arrows.filter(({ from, to }) => {
      const isIsland = from.startsWith('src/islands/')
      return (
        isIsland !== to.startsWith('src/islands/') &&
        !(isIsland && to.startsWith('src/lib/')) &&
        (isIsland || to.startsWith('src/islands/'))
      )
    })
    expect(heavy).toEqual([])
  })

  it('imports lead from a concept of the domain to lower floors only', () => {
    const upward = arrows.filter(({ from, to }) => {
      const [a, b] = [conceptOf(from), conceptOf(to)]
      return a !== null && b !== null && a !== b && floorOf(a) <= floorOf(b)
    })
    expect(upward).toEqual([])
  })

  it('imports know a floor for every concept, and no file of the domain outside one', () => {
    const homeless = files.filter(({ path }) => path.startsWith('src/domain/') && conceptOf(path) === null)
    expect(homeless.map(({ path }) => path)).toEqual([])
    const concepts = new Set(files.flatMap(({ path }) => conceptOf(path) ?? []))
    expect(floors.flat().toSorted()).toEqual([...concepts].toSorted())
  })

  it('imports take policy, viewer and posting defaults from the domain when they present', () => {
    const deep = arrows.filter(
      ({ from, to }) =>
        from.startsWith('src/view/') &&
        to.startsWith('src/domain/') &&
        !/^src\/domain\/(policy\/|core\/viewer\.ts$|users\/defaults\.ts$)/.test(to),
    )
    expect(deep).toEqual([])
  })

  it('imports lead from src/lib to nothing but itself and errors: it knows no rule of the product', () => {
    const outward = arrows.filter(
      ({ from, to }) => from.startsWith('src/lib/') && !/^src\/(lib\/|errors[./])/.test(to),
    )
    expect(outward).toEqual([])
  })

  it('imports make no circle, types included', () => {
    expect(circleIn(graph)).toEqual([])
  })

  it('imports make no circle of the folders of src', () => {
    const folderOf = (path: string) => /^src\/[^/]+(?=\/)/.exec(path)?.[0] ?? path
    const between = arrows
      .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
      .filter(([from, to]) => from !== to)
    const reached = Map.groupBy(between, ([from]) => from)
    const folders = new Map([...reached].map(([from, pairs]) => [from, pairs.map(([, to]) => to)]))
    expect(circleIn(folders)).toEqual([])
  })
})

/** The concept of a file of the domain: `src/domain/polls/vote.ts` belongs to `polls`. */
function conceptOf(path: string): string | null {
  return /^src\/domain\/([^/]+)\//.exec(path)?.[1] ?? null
}

function floorOf(concept: string): number {
  const floor = floors.findIndex((concepts) => concepts.includes(concept))
  if (floor === -1) throw new Error(`${concept} has no floor: add it to the floors`)
  return floor
}

function circleIn(edgesOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>()
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (finished.has(path)) return []
    for (const next of edgesOf.get(path) ?? []) {
      const circle = walk(next, [...trail, path])
      if (circle.length > 0) return circle
    }
    finished.add(path)
    return []
  }
  for (const path of edgesOf.keys()) {
    const circle = walk(path, [])
    if (circle.length > 0) return circle
  }
  return []
}
