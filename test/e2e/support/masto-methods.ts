import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/lib/server.mjs'

const folder = join(root, 'node_modules/masto/dist/mastodon/rest')

/** Bodies of the interfaces of one folder, by name. Names are unique within it, not over all. */
type Interfaces = ReadonlyMap<string, string>

/**
 * Methods of a version of the API that the installed client has, by its own type declarations, as
 * `v1.lists.$select.fetch`, grouped by their resource; without administration.
 */
export function methodsOfMasto(version: 'v1' | 'v2'): ReadonlyMap<string, readonly string[]> {
  const root = interfacesIn([join(folder, 'client.d.ts')])
  const resources = interfacesIn(declarationsIn(version).filter((path) => !path.includes('/admin/')))
  const body = root.get(`${version.toUpperCase()}Resource`) ?? ''
  const listed = [...body.matchAll(/^ {4}(\w+): v[12]\.(\w+);/gm)]
  return new Map(
    listed
      .filter(([, name]) => name !== 'admin')
      .map(([, name = '', type = '']) => [
        name,
        methodsIn(resources, type).map((path) => `${version}.${name}.${path}`),
      ]),
  )
}

/** Methods of administration, as `reports.$select.resolve`, grouped by their resource. */
export function administrationOfMasto(): ReadonlyMap<string, readonly string[]> {
  const declared = interfacesIn(declarationsIn('v1/admin'))
  return Map.groupBy(methodsIn(declared, 'AdminResource'), (path) => path.split('.')[0] ?? '')
}

function declarationsIn(path: string): readonly string[] {
  const names = readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.d.ts')).map((name) => join(folder, path, name))
}

function interfacesIn(files: readonly string[]): Interfaces {
  const texts = files.map((file) => readFileSync(file, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, ''))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/^export interface ([\w$]+)[^{]*\{([\s\S]*?)^\}/gm),
  ])
  return new Map(found.map(([, name = '', body = '']) => [name, body]))
}

/** A member is a method, several overloads of one in braces, or a resource, which may take an id. */
function methodsIn(declared: Interfaces, name: string): readonly string[] {
  const body = declared.get(name)
  if (body === undefined) throw new Error(`The client declares no ${name}`)
  const members = [...body.matchAll(/^ {4}(?:readonly )?([\w$]+)(?:\([^)]*\))?: ([\w$]+[<;]|\{)/gm)]
  return members.flatMap(([, member = '', type = '']) =>
    type === 'Method<' || type === '{'
      ? [member]
      : methodsIn(declared, type.slice(0, -1)).map((method) => `${member}.${method}`),
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
