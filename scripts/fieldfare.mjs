#!/usr/bin/env node
// `npx fieldfare`: the command line of a server. Its commands are declared in scripts/commands, a file for each group.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { outliveReaders } from './lib/closed-pipes.mjs'
import { refuseOldNode } from './lib/node-version.mjs'

refuseOldNode()
outliveReaders()
// Arguments may hold a token: other users of the machine see this name in place of them.
process.title = 'fieldfare'

if (existsSync(fileURLToPath(new URL('../node_modules/zod', import.meta.url)))) {
  const { main } = await import('./lib/command-line/main.mjs')
  const { terminal } = await import('./lib/command-line/terminal.mjs')
  process.exitCode = await main(process.argv.slice(2), terminal())
} else {
  console.error('The dependencies are not installed yet: npm ci')
  process.exitCode = 1
}
