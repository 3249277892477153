// `npm run owner -- NAME --url https://...`: the account of whoever runs a deployed instance, with its password.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [username] = positionals
if (username === undefined || positionals.length > 1) stop('npm run owner -- NAME [--url https://...]')

const { password } = await order(values, 'POST', 'owner', { username })
console.log(`The owner account (shown this once):\n\n  name      ${username}\n  password  ${password}`)
