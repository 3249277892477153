// `npm run rotate-keys -- NAME`: gives NAME a new pair of keys, for when the old one may have got out.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [username] = positionals
if (username === undefined || positionals.length > 1) stop('npm run rotate-keys -- NAME [--url https://...]')

await order(values, 'POST', 'rotate-keys', { username })
console.log(
  `${username} has a new key. Other servers are being told; those that are away hear of it within days.`,
)
