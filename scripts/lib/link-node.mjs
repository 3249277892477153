// The Node that npm installs beside the other dependencies on Linux (`optionalDependencies`). npm 10 and older do not link it into
// node_modules/.bin, where the scripts of package.json and npx look for it. Plain Node 20, no dependencies.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Links the Node in the folder `installed` for scripts and npx, where npm did not. */
export function linkNode(installed) {
  const name = `node-${process.platform}-${process.arch}/bin/node`
  const link = `${installed}/.bin/node`
  if (!existsSync(`${installed}/${name}`) || existsSync(link)) return
  mkdirSync(`${installed}/.bin`, { recursive: true })
  symlinkSync(`../${name}`, link)
}

// `postinstall` of package.json: those who run `npm ci` themselves call npx next.
if (process.argv[1] === fileURLToPath(import.meta.url))
  linkNode(fileURLToPath(new URL('../../node_modules', import.meta.url)))
