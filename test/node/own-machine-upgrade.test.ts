import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Commands of the document, each with the user that it runs as. */
function documentedUpgrade(): readonly string[] {
  const text = readFileSync('docs/operate/move-off.md', 'utf8')
  const [, block = ''] = /^## Upgrade it$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(text) ?? []
  const script = `set -eu
cd() { :; }
sudo() { [ "$1" = -u ]; [ "$3" = -H ]; user=$2; shift 3; echo "$user: $*"; }
git() { echo "root: git $*"; }
npm() { echo "root: npm $*"; }
npx() { echo "root: npx $*"; }
systemctl() { echo "root: systemctl $*"; }
${block}`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.trim().split('\n')
}

describe('an upgrade on one’s own machine', () => {
  it('fetches, installs and builds as the owner of the clone, and only then stops the server', () => {
    expect(documentedUpgrade()).toEqual([
      'fieldfare: npx fieldfare backup create --folder /var/lib/fieldfare',
      'fieldfare: git pull',
      'fieldfare: npm start -- --prepare',
      'root: systemctl restart fieldfare',
    ])
  })
})
