import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { importsOf, resolver, sourceFiles } from './source'

/** Levels of architecture.md, section 4: a file imports its own level or below, and edges never each other. */
const levels: readonly (readonly [RegExp, number])[] = [
  [/^src\/(lib|contract)\//, 0],
  [/^src\/(events|errors)\.ts$/, 0],
  [/^src\/db\//, 1],
  [/^src\/(config|context|rates)\.ts$/, 1],
  [/^src\/domain\//, 2],
  [/^src\/view\//, 3],
  [/^src\/(api|oauth|activitypub|streaming|objects|web|jobs|cron)\//, 4],
  [/^src\/[^/]+\.tsx?$/, 5],
]

const edge = /^src\/(api|oauth|activitypub|streaming|objects|web|jobs|cron)\//

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
  it('are seen by this guard', () => {
    expect(arrows.length).toBeGreaterThan(100)
  })

  it('name only packages the Worker ships with: what tests need stays out of the bundle', () => {
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

  it('point at the same level or below; a need that points up becomes a port in context.ts', () => {
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

  it('reach into another concept of the domain through what it offers for that; policy reaches into none', () => {
    const concept = (path: string) => /^src\/domain\/([^/]+)\//.exec(path)?.[1]
    const offered = /\/(find[^/]*|limits|scopes|settings|page|feed)\.ts$/
    const intruding = arrows.filter(({ from, to }) => {
      const [a, b] = [concept(from), concept(to)]
      if (a === undefined || b === undefined || a === b) return false
      return a === 'policy' || (b !== 'policy' && !offered.test(to))
    })
    expect(intruding).toEqual([])
  })

  it('take policy and viewer from the domain when they present', () => {
    const deep = arrows.filter(
      ({ from, to }) =>
        from.startsWith('src/view/') &&
        /^src\/domain\/[^/]+\//.test(to) &&
        !to.startsWith('src/domain/policy/'),
    )
    expect(deep).toEqual([])
  })

  it('make no circle, types included', () => {
    expect(circleIn(graph)).toEqual([])
  })
})

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
