import type { Instance, Person } from './instance'

const scopes = 'read write follow push admin:read admin:write'

/** A member with the role of an administrator, whose token reaches administration as that of an app would. */
export async function newAdmin(instance: Instance, username: string): Promise<Person> {
  const member = await instance.member(username)
  await instance.setup(`/api/fieldfare/v1/admin/accounts/${member.id}/role`, { role_id: '2' }, 'PUT')
  await instance.query('update access_tokens set scopes = ? where account_id = ?', scopes, Number(member.id))
  return member
}
