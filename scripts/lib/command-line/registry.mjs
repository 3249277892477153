// Every command of the command line, from the files in scripts/commands.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../commands/', import.meta.url)

let loaded = null

/** Groups and single commands: { groups, singles }, by name. */
export function loadRegistry() {
  loaded ??= load()
  return loaded
}

async function load() {
  const files = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.mjs'))
  const modules = await Promise.all(files.toSorted().map((name) => import(new URL(name, folder).href)))
  return {
    groups: modules.flatMap(({ group }) => group ?? []),
    singles: modules.flatMap(({ command, commands }) => commands ?? command ?? []),
  }
}

/** Commands in the order of help. */
export function commandsOf({ groups, singles }) {
  return [...singles, ...groups.flatMap(({ commands }) => commands)]
}
