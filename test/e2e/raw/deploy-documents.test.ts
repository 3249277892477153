import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Desk, shellBlocksOf } from '../support/fresh-clone'

/** Shell blocks of the documents, typed as they stand there by a person who answers what is asked. */

const domain = 'social.example.org'
const answers = [
  { asked: /Domain of the server.*:/, answer: domain },
  { asked: /Your user name:/, answer: 'alice' },
  { asked: /Your e-mail address:/, answer: 'alice@example.org' },
  { asked: /Plan of your Cloudflare account.*:/, answer: 'free' },
  { asked: /permanently delete the secret SETUP_TOKEN/, answer: 'y' },
]
const wayBack = [
  { asked: /Go back\? \(yes\)/, answer: 'yes' },
  { asked: /Type social\.example\.org to lose/, answer: domain },
]

let desk: Desk
beforeEach(async () => {
  desk = await Desk.open(domain, 'https://git.example.org/fieldfare.git')
})
afterEach(() => desk.close())

describe('the documents of deployment', () => {
  it('lead from the address of the repository to an open server, its upgrade and the way back', async () => {
    const { account } = desk
    const blocks = shellBlocksOf('docs/operate/deploy.md')
    const deployed = await desk.type(blocks, { answers })
    expect(deployed.text.split('end of block').slice(blocks.length), deployed.text).toEqual(['\n'])
    expect(deployed.text).toContain(`Your server is open: https://${domain}`)
    expect(deployed.text).toMatch(/Token \d+, shown this once:\n\n {2}\S{20}/)
    expect([...account.secrets.keys()]).toEqual(['INSTANCE_SECRET'])

    desk.commit('migrations/9999_birds.sql', 'CREATE TABLE birds (id INTEGER PRIMARY KEY);')
    const upgrade = shellBlocksOf('docs/operate/upgrade.md')
    const upgraded = await desk.type(upgrade, { from: 'fieldfare', answers: wayBack })
    expect(upgraded.text.split('end of block').slice(upgrade.length), upgraded.text).toEqual(['\n'])
    expect(upgraded.text).toMatch(/Apply migrations\n {2}1 applied/)
    expect(upgraded.text.match(/runs the version of before/g)).toHaveLength(2)
    expect(account.unknown).toEqual([])
  }, 300_000)
})
