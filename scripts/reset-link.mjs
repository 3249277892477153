// `npm run reset-link -- NAME`: a link by which NAME chooses a new password, for servers that send no mail.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [username] = positionals
if (username === undefined || positionals.length > 1) stop('npm run reset-link -- NAME [--url https://...]')

const { url } = await order(values, 'POST', 'reset-link', { username })
console.log(`Give this to ${username}; it works once:\n\n  ${url}`)
