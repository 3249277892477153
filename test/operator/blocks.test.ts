import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sha256Hex } from '../../src/lib/secrets'
import { as } from '../support/as'
import { freshName, given } from '../support/given'
import { givenOwner } from '../support/given-staff'

const setup = as('a-setup-token-for-tests')
const Id = z.object({ id: z.string() })

async function add(body: Readonly<Record<string, unknown>>) {
  return Id.parse((await setup.post('/setup/blocks/add', body)).body).id
}

describe('the set-up routes about blocks', () => {
  it('refuse members', async () => {
    const alice = await given.account()
    for (const what of ['list', 'add', 'remove'])
      expect((await as(alice).post(`/setup/blocks/${what}`, {})).status, what).toBe(403)
  })

  it('add, list and remove blocks of every kind, which the log names', async () => {
    const name = freshName('blocked')
    const email = `${name}@mail.test`
    const added = [
      { kind: 'network', of: '2001:db8:aaaa::/48', severity: 'no_access', days: 2, comment: 'Spam' },
      { kind: 'domain', of: `${name}.test`, approval: true },
      { kind: 'email', of: email },
      { kind: 'username', of: name, exact: true },
    ]
    const ids: string[] = []
    for (const body of added) ids.push(await add(body))
    const { body } = await setup.post('/setup/blocks/list')
    expect(body).toMatchObject({
      blocks: [
        {
          kind: 'network',
          id: ids[0],
          of: '2001:db8:aaaa::/48',
          words: ['no_access', expect.stringMatching(/^until /), '“Spam”'],
        },
        { kind: 'domain', id: ids[1], of: `${name}.test`, words: ['with approval'] },
        { kind: 'email', id: ids[2], of: await sha256Hex(email), words: [] },
        { kind: 'username', id: ids[3], of: name, words: ['equals', 'refused'] },
      ],
    })
    const owner = await givenOwner()
    for (const [index, { kind }] of added.entries()) {
      const one = { kind, id: ids[index] }
      expect((await setup.post('/setup/blocks/remove', one)).status).toBe(200)
      expect((await setup.post('/setup/blocks/remove', one)).status).toBe(404)
    }
    expect((await setup.post('/setup/blocks/list')).body).toEqual({ blocks: [] })
    const log = await as(owner).get('/api/fieldfare/v1/admin/audit_log?limit=4')
    expect(log.body).toMatchObject(
      ['username_block', 'canonical_email_block', 'email_domain_block', 'ip_block'].map(() => ({
        action: 'delete',
        username: '',
      })),
    )
  })

  it('take a hash for an address, and refuse what the API refuses', async () => {
    const hash = await sha256Hex(freshName('hash'))
    await add({ kind: 'email', of: hash })
    for (const body of [
      { kind: 'email', of: hash },
      { kind: 'network', of: 'somewhere' },
      { kind: 'network', of: '192.0.2.1', severity: 'worse' },
      { kind: 'mood', of: 'bad' },
    ])
      expect((await setup.post('/setup/blocks/add', body)).status, body.kind).toBe(422)
  })

  it('lift a block of the network that the operator is in', async () => {
    const headers = { 'cf-connecting-ip': '10.200.7.7' }
    const id = await add({ kind: 'network', of: '10.200.0.0/16', severity: 'no_access' })
    expect((await setup.post('/setup/blocks/list', {}, { headers })).status).toBe(200)
    expect((await as(null).get('/api/v2/instance', { headers })).status).toBe(403)
    await setup.post('/setup/blocks/remove', { kind: 'network', id }, { headers })
    expect((await as(null).get('/api/v2/instance', { headers })).status).toBe(200)
  })
})
