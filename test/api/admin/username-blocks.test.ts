import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { freshName, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/username_blocks'

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageBlocks'] })
})

const idOf = ({ body }: { readonly body: unknown }) => (body as { id: string }).id

describe('admin/username_blocks', () => {
  it('blocks, changes and unblocks a username', async () => {
    const username = freshName('bank')
    const answer = await as(moderator).post(path, { username, comparison: 'equals' })
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      username,
      comparison: 'equals',
      allow_with_approval: false,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    })
    const one = `${path}/${idOf(answer)}`
    for (const change of [as(moderator).put, as(moderator).patch])
      expect((await change(one, { allow_with_approval: true })).body).toMatchObject({
        username,
        comparison: 'equals',
        allow_with_approval: true,
      })
    expect((await as(moderator).put(one, { comparison: 'contains' })).body).toMatchObject({
      comparison: 'contains',
      allow_with_approval: true,
    })
    expect((await as(moderator).get(one)).body).toMatchObject({ username })
    const listed = await as(moderator).get(`${path}?limit=1`)
    expect(listed.body).toMatchObject([{ username }])
    expect(listed.costs.trips).toBeLessThanOrEqual(3)
    expect(await as(moderator).delete(one)).toMatchObject({ status: 200, body: {} })
    for (const answered of [await as(moderator).delete(one), await as(moderator).put(one, {})])
      expect(answered.status).toBe(404)
  })

  it.each([
    [{}, "Username can't be blank"],
    [{ username: 'a b' }, 'Username must contain only letters, numbers and underscores, 30 at most'],
  ])('admin/username_blocks refuses %j', async (body, problem) => {
    expect(await as(moderator).post(path, body)).toMatchObject({
      status: 422,
      body: { error: `Validation failed: ${problem}` },
    })
  })

  it('refuses another comparison, and the same name in similar letters', async () => {
    const username = freshName('look_o')
    expect((await as(moderator).post(path, { username, comparison: 'like' })).status).toBe(422)
    expect((await as(moderator).post(path, { username })).status).toBe(200)
    const alike = username.replace('look_o', 'L00K_0')
    expect((await as(moderator).post(path, { username: alike })).status).toBe(422)
  })
})
