import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/lib/server.mjs'

const folder = join(root, 'node_modules/masto/dist/mastodon/rest/v1/admin')

/**
 * Methods of administration that the installed client has, by its own type declarations, as `reports.$select.resolve`,
 * grouped by their resource.
 */
export function administrationOfMasto(): ReadonlyMap<string, readonly string[]> {
  const declared = declarations()
  return Map.groupBy(methodsIn(declared, 'AdminResource'), (path) => path.split('.')[0] ?? '')
}

/** Bodies of the interfaces, by name. */
function declarations(): ReadonlyMap<string, string> {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, ''))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/^export interface ([\w$]+)[^{]*\{([\s\S]*?)^\}/gm),
  ])
  return new Map(found.map(([, name = '', body = '']) => [name, body]))
}

function methodsIn(declared: ReadonlyMap<string, string>, name: string): readonly string[] {
  const body = declared.get(name)
  if (body === undefined) throw new Error(`The client declares no ${name}`)
  const members = [...body.matchAll(/^ {4}(?:readonly )?([\w$]+)(?:\([^)]*\))?: ([\w$]+)[<;]/gm)]
  return members.flatMap(([, member = '', type = '']) =>
    type === 'Method' ? [member] : methodsIn(declared, type).map((method) => `${member}.${method}`),
  )
}

/** A client that notes which of its methods are called, as `reports.$select.resolve`. */
export function noting<T extends object>(client: T, called: Set<string>, path: readonly string[] = []): T {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || !isObject(value)) return value
      return noting(value, called, [...path, name])
    },
    apply(target, self, given) {
      const result: unknown = typeof target === 'function' ? Reflect.apply(target, self, given) : undefined
      if (path.at(-1) === '$select' && isObject(result)) return noting(result, called, path)
      called.add(path.join('.'))
      return result
    },
  })
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
