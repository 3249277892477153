// Writes public/migrations.json, from which a server that was set up in the browser brings its database up to date. Nothing of
// it is in git: `npm run pages` writes it, and so does each `npm start` and `npm run deploy`.
import { writeMigrations } from './lib/migrations.mjs'
import { root } from './lib/server.mjs'

writeMigrations(root)
