import { describe, expect, it } from 'vitest'
import { readUnsubscribeToken, unsubscribeToken } from '../../../src/domain/users/unsubscribe'
import { instanceSecrets, sign } from '../../../src/lib/secrets'

const text = 'a secret of forty-three characters for tests'
const secret = instanceSecrets(text)

describe('the token of a link that stops mail', () => {
  it.each(['mention', 'follow_request', 'admin.report'])(
    'the token is for one account and %s',
    async (kind) => {
      const token = await unsubscribeToken(secret, { accountId: 42, kind })
      expect(await readUnsubscribeToken(secret, token)).toEqual({ accountId: 42, kind })
      expect(await unsubscribeToken(secret, { accountId: 42, kind })).toBe(token)
      expect(token).toMatch(/^[\w.-]+$/)
    },
  )

  it('the token works while its secret is accepted', async () => {
    const token = await unsubscribeToken(secret, { accountId: 42, kind: 'mention' })
    expect(await readUnsubscribeToken(instanceSecrets(`${text}!`, [text]), token)).not.toBeNull()
  })

  it('the token is refused for another account, kind, server or purpose', async () => {
    const token = await unsubscribeToken(secret, { accountId: 42, kind: 'mention' })
    const signature = token.slice(-43)
    const csrf = await sign(secret, 'csrf', '42.mention')
    const wrong = [
      token.replace('42.', '43.'),
      token.replace('mention', 'follow'),
      `42.mention.${csrf}`,
      `42.mention.x.${signature}`,
      `42.mention.${signature.slice(1)}`,
      `042.mention.${signature}`,
      ` ${token}`,
      `${token}\n`,
      '42.mention.',
      '',
    ]
    for (const one of wrong) expect(await readUnsubscribeToken(secret, one)).toBeNull()
    expect(await readUnsubscribeToken(instanceSecrets(`${text}!`), token)).toBeNull()
  })
})
