import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'

const examples = 'docs/operate/examples'
const read = (name: string) => readFileSync(`${examples}/${name}`, 'utf8')
const recipe = read('Dockerfile')

it('the recipe of the image copies what exists, and what npm ci runs before it does', () => {
  const copied = [...recipe.matchAll(/^COPY (.+) \S+$/gm)].map(([, names = '']) => names.split(' '))
  expect(copied.flat().filter((name) => !existsSync(name))).toEqual([])
  const before = copied
    .slice(
      0,
      copied.findIndex(([name]) => name === '.'),
    )
    .flat()
  const { scripts } = z
    .object({ scripts: z.object({ postinstall: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  expect(before).toEqual(['package.json', 'package-lock.json', scripts.postinstall.replace('node ', '')])
})

it('the image, its check and the examples of proxies name one port', () => {
  const [, port = ''] = /"--port", "(\d+)"\]$/m.exec(recipe) ?? []
  expect(port).not.toBe('')
  expect(recipe).toContain(`http://127.0.0.1:${port}/health`)
  expect(read('Caddyfile')).toContain(`reverse_proxy 127.0.0.1:${port} {`)
  expect(read('nginx.conf')).toContain(`proxy_pass http://127.0.0.1:${port};`)
  expect(read('fieldfare.service')).toContain(`--port ${port} `)
})

it('compose.yaml builds the recipe from the top of the clone and keeps the data folder of the image', () => {
  const compose = read('compose.yaml')
  const [, data = ''] = /^VOLUME (\S+)$/m.exec(recipe) ?? []
  expect(compose).toContain(`- data:${data}\n`)
  expect(recipe).toContain(`"--folder", "${data}"`)
  expect(compose).toContain(`context: ../../..\n      dockerfile: ${examples}/Dockerfile\n`)
  expect(compose).toContain('network_mode: service:proxy\n')
})

it('commands in the container go without npx, which wants to change files of the image', () => {
  const commands = readFileSync('docs/operate/container.md', 'utf8').matchAll(/ exec fieldfare (.+)$/gm)
  const programs = [...commands].map(([, words = '']) => words.split(' ').slice(0, 2).join(' '))
  expect(programs).toEqual(['node scripts/fieldfare.mjs', 'node scripts/fieldfare.mjs'])
})

it('the image takes neither secrets nor dependencies nor history of the clone along', () => {
  const left = read('Dockerfile.dockerignore').split('\n')
  expect(left).toEqual(
    expect.arrayContaining(['.git', 'node_modules', '.wrangler', '*.local.*', '.dev.vars']),
  )
})
