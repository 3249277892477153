// Builds the database of an instance of a given size, and prints ids of what is hard in it:
// `node scripts/bench/scale/build.mjs 30000 /tmp/instance.sqlite`, or 1000 or 1000000.
import { resolve } from 'node:path'
import { buildInstance } from '../../../test/support/scale/on-disk.ts'
import { root } from '../../lib/server.mjs'

const [, , statuses, file] = process.argv
if (statuses === undefined || file === undefined) throw new Error('Name the number of statuses and a file')
const path = resolve(file)
process.chdir(root)
const began = performance.now()
const { db, instance } = await buildInstance(statuses, path)
db.close()
console.log(JSON.stringify(instance.facts, null, 2))
console.error(`${statuses} statuses in ${((performance.now() - began) / 1000).toFixed(1)} s`)
