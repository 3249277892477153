import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminRule } from '../../../src/contract/entities/admin/instance'
import { rules } from '../../../src/db/schema'
import { ruleLimits, saveRules } from '../../../src/domain/instance/rules'
import { operator } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import type { TestAccount } from '../../support/given'
import { givenOwner } from '../../support/given-staff'
import { context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/rules'

describe('rules for administrators', () => {
  let owner: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
  })
  afterEach(async () => {
    await context().db.delete(rules)
  })

  async function create(text: string, more: Readonly<Record<string, unknown>> = {}) {
    return AdminRule.parse((await as(owner).post(path, { text, ...more })).body)
  }
  const texts = async () => {
    const { body } = await as(null).get('/api/v1/instance/rules')
    return z
      .array(z.object({ text: z.string() }))
      .parse(body)
      .map(({ text }) => text)
  }

  it('creates rules at the end, and shows them to everybody with hints and translations', async () => {
    await create('Be kind')
    const translations = {
      de: { text: 'Seid nett', hint: '' },
      'pt-BR': { text: 'Seja gentil', hint: 'Sempre' },
    }
    const { id, position } = await create('No spam', { hint: 'Of any sort', translations })
    expect(position).toBe(1)
    expect((await as(null).get('/api/v1/instance/rules')).body).toMatchObject([
      { text: 'Be kind', hint: '', translations: {} },
      { id, text: 'No spam', hint: 'Of any sort', translations },
    ])
    expect((await as(null).get('/api/v2/instance')).body).toMatchObject({
      rules: [{}, { id, translations }],
    })
    expect((await as(owner).get(path)).costs.trips).toBeLessThanOrEqual(1)
  })

  it('keeps ids and omitted values when rules change', async () => {
    const { id } = await create('Be kind', { hint: 'Always', translations: { de: { text: 'Seid nett' } } })
    const changed = await as(owner).patch(`${path}/${id}`, { text: 'Be kinder' })
    expect(changed.body).toMatchObject({
      id,
      text: 'Be kinder',
      hint: 'Always',
      translations: { de: { text: 'Seid nett', hint: '' } },
    })
    await as(owner).put(`${path}/${id}`, { hint: null, translations: {} })
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ hint: '', translations: {} })
  })

  it('reorders rules by a complete list', async () => {
    const ids = [(await create('A')).id, (await create('B')).id, (await create('C')).id]
    const [a, b, c] = ids
    const ordered = await as(owner).post(`${path}/order`, { ids: [c, a, b] })
    expect(ordered.body).toMatchObject([{ id: c, position: 0 }, { id: a }, { id: b, position: 2 }])
    expect(await texts()).toEqual(['C', 'A', 'B'])
    for (const wrong of [[c, a], [c, a, '1'], [c, a, b, '1'], []])
      expect((await as(owner).post(`${path}/order`, { ids: wrong })).status).toBe(422)
    expect(await texts()).toEqual(['C', 'A', 'B'])
    expect((await create('D')).position).toBe(3)
  })

  it('replaces all rules, and those whose text stays keep their ids', async () => {
    const { id } = await create('Be kind')
    await create('No spam')
    const drafts = [{ text: 'Ask first' }, { text: 'Be kind', hint: 'Really' }]
    const { body } = await as(owner).put(path, { rules: drafts })
    expect(body).toMatchObject([{ text: 'Ask first' }, { id, text: 'Be kind', hint: 'Really' }])
    expect((await as(owner).put(path, { rules: [{ text: '' }] })).status).toBe(422)
    expect(await texts()).toEqual(['Ask first', 'Be kind'])
  })

  it('deletes a rule once', async () => {
    const { id } = await create('A')
    await create('B')
    expect((await as(owner).delete(`${path}/${id}`)).status).toBe(200)
    expect((await as(owner).delete(`${path}/${id}`)).status).toBe(404)
    expect((await as(owner).patch(`${path}/${id}`, { text: 'x' })).status).toBe(404)
    expect(await texts()).toEqual(['B'])
  })

  it.each([
    [{ text: ' ' }, "Text can't be blank"],
    [{ text: 'x'.repeat(1_001) }, 'Text is too long (maximum is 1000 characters)'],
    [{ hint: 'x'.repeat(2_001) }, 'Hint is too long (maximum is 2000 characters)'],
    [{ translations: { german: { text: 'x' } } }, 'Translations: german is no language'],
    [{ translations: { de: { text: ' ' } } }, "Translations (de): Text can't be blank"],
  ])('refuses %j', async (fields, problem) => {
    const answer = await as(owner).post(path, { text: 'Be kind', ...fields })
    expect(answer).toMatchObject({ status: 422, body: { error: `Validation failed: ${problem}` } })
    expect(await texts()).toEqual([])
  })

  it('one of two concurrent administrators changes a rule, and the other gets a conflict', async () => {
    const first = (await create('Be kind')).id
    const second = (await create('No spam')).id
    const other = await givenOwner()
    const pairs: readonly (readonly [string, () => Promise<{ readonly status: number }>[]])[] = [
      [
        'change',
        () => [owner, other].map((by) => as(by).put(`${path}/${first}`, { text: `By ${by.username}` })),
      ],
      [
        'order',
        () => [
          as(owner).post(`${path}/order`, { ids: [second, first] }),
          as(other).post(`${path}/order`, { ids: [second, first] }),
        ],
      ],
      [
        'replace',
        () => ['One', 'Two'].map((text) => as(owner).put(path, { rules: [{ text }, { text: 'No spam' }] })),
      ],
      ['delete', () => [owner, other].map((by) => as(by).delete(`${path}/${second}`))],
    ]
    for (const [what, send] of pairs) {
      const statuses = (await Promise.all(send())).map(({ status }) => status)
      expect([what, ...statuses.toSorted()]).toEqual([what, 200, 409])
    }
  })

  it('allows at most a hundred rules', async () => {
    const drafts = Array.from({ length: ruleLimits.rules }, (_, at) => ({ text: `Rule ${at}`, hint: '' }))
    await saveRules(context(), operator, drafts)
    expect((await as(owner).post(path, { text: 'One more' })).status).toBe(422)
    await expect(saveRules(context(), operator, [...drafts, { text: 'x', hint: '' }])).rejects.toThrow(
      'at most',
    )
  })

  it('logs every change', async () => {
    const { id } = await create('Be kind')
    await as(owner).patch(`${path}/${id}`, { hint: 'Always' })
    await as(owner).delete(`${path}/${id}`)
    const log = await as(owner).get(`/api/fieldfare/v1/admin/audit_log?target_type=rule&target_id=${id}`)
    expect(log.body).toMatchObject([
      { action: 'delete', target_label: 'Be kind', before: { hint: 'Always' } },
      { action: 'update', before: { hint: '' }, after: { hint: 'Always' } },
      { action: 'create', after: { text: 'Be kind' } },
    ])
  })
})
