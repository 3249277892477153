import { Mastodon, NotificationType } from 'megalodon'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminAccount } from '../../../src/contract/entities/admin/account'
import { AdminDomainBlock } from '../../../src/contract/entities/admin/domain'
import { AdminMeasure } from '../../../src/contract/entities/admin/metrics'
import { AdminReport } from '../../../src/contract/entities/admin/report'
import { megalodonFailure, megalodonOf } from '../support/megalodon'
import { newName, newPerson, origin } from '../support/people'
import { newStaff, type Staff } from '../support/staff'

const path = '/api/v1/admin'

/** The client has no methods of administration: apps built on it send what it lacks by its own HTTP client. */
const httpOf = ({ token }: { readonly token: string }) => new Mastodon(origin, token).client

async function reported() {
  const [alice, mallory] = [await newPerson('alice'), await newPerson('mallory')]
  const { data } = await megalodonOf(alice).report(mallory.id, { comment: 'Spam', category: 'spam' })
  return { alice, mallory, reportId: data.id }
}

describe('administration with megalodon', () => {
  let owner: Staff
  beforeAll(async () => {
    owner = await newStaff('owner')
  })

  it('uses its HTTP client, while it has no methods of its own', () => {
    const names = Object.getOwnPropertyNames(Mastodon.prototype)
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => /admin|moderat/i.test(name))).toEqual([])
  })

  it('starts with a role, and with the notification of a report', async () => {
    const client = megalodonOf(owner)
    expect((await client.verifyAccountCredentials()).data.role).toMatchObject({ name: 'Owner' })
    const { alice } = await reported()
    const { data } = await client.getNotifications({ limit: 40 })
    const found = data.filter(({ account }) => account?.id === alice.id)
    expect(found.map(({ type }) => type)).toEqual([NotificationType.AdminReport])
    const member = megalodonOf(alice)
    expect((await member.getNotifications()).data).toEqual([])
  })

  it('handles a report and its account', async () => {
    const http = httpOf(owner)
    const { mallory, reportId } = await reported()
    const listed = await http.get<unknown>(`${path}/reports`, { target_account_id: mallory.id })
    expect(AdminReport.array().parse(listed.data)).toMatchObject([{ id: reportId, category: 'spam' }])
    const assigned = await http.post<unknown>(`${path}/reports/${reportId}/assign_to_self`)
    expect(AdminReport.parse(assigned.data).assigned_account).toMatchObject({ username: owner.username })
    const action = { type: 'silence', text: 'Too loud', report_id: reportId }
    await http.postForm<unknown>(`${path}/accounts/${mallory.id}/action`, action)
    const { data: account } = await http.get<unknown>(`${path}/accounts/${mallory.id}`)
    expect(AdminAccount.parse(account)).toMatchObject({ silenced: true })
    const { data: closed } = await http.get<unknown>(`${path}/reports/${reportId}`)
    expect(AdminReport.parse(closed)).toMatchObject({ action_taken: true })
    const { data: lifted } = await http.post<unknown>(`${path}/accounts/${mallory.id}/unsilence`)
    expect(AdminAccount.parse(lifted)).toMatchObject({ silenced: false })
  })

  it('limits a server by forms, by JSON and by DELETE', async () => {
    const http = httpOf(owner)
    const domain = `${newName('spam').replace('_', '-')}.example`
    const made = await http.postForm<unknown>(`${path}/domain_blocks`, { domain, severity: 'silence' })
    const { id } = AdminDomainBlock.parse(made.data)
    const changed = await http.put<unknown>(`${path}/domain_blocks/${id}`, { severity: 'suspend' })
    expect(AdminDomainBlock.parse(changed.data)).toMatchObject({ domain, severity: 'suspend' })
    const again = await http.putForm<unknown>(`${path}/domain_blocks/${id}`, { severity: 'noop' })
    expect(AdminDomainBlock.parse(again.data)).toMatchObject({ severity: 'noop' })
    expect((await http.del<unknown>(`${path}/domain_blocks/${id}`)).data).toEqual({})
    const gone = http.get<unknown>(`${path}/domain_blocks/${id}`)
    expect(await megalodonFailure(gone)).toEqual({ status: 404, error: 'Record not found' })
  })

  it('reads measures', async () => {
    const asked = { keys: ['new_users'], start_at: '2026-01-01', end_at: '2026-01-02' }
    const { data } = await httpOf(owner).post<unknown>(`${path}/measures`, asked)
    expect(z.array(AdminMeasure).parse(data)).toMatchObject([{ key: 'new_users' }])
  })

  it('administration with megalodon is refused to members', async () => {
    const call = httpOf(await newPerson()).get<unknown>(`${path}/reports`)
    expect(await megalodonFailure(call)).toMatchObject({ status: 403 })
  })
})
