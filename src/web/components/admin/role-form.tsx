import { useTranslation } from '../../i18n/context'
import { Button } from '../button'
import { SelectField } from '../field'
import { PostForm } from '../form'

export interface RoleFormProps {
  readonly action: string
  /** Role of the account; null without one. */
  readonly roleId: string | null
  /** Roles below that of the moderator. */
  readonly roles: readonly { readonly id: number; readonly name: string }[]
}

/** Form that gives a member a role, or takes it away. */
export function RoleForm({ action, roleId, roles }: RoleFormProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="role">
      <h2 id="role">{t('field.role')}</h2>
      <PostForm action={action}>
        <SelectField
          name="role"
          label={t('admin.roles.roleAccount')}
          hint={t('admin.roles.roleAccount.hint')}
          value={roleId ?? ''}
          options={[
            { value: '', text: t('admin.none') },
            ...roles.map(({ id, name }) => ({
              value: String(id),
              text: name,
            })),
          ]}
        />
        <Button look="secondary">{t('admin.roles.changeTheRole')}</Button>
      </PostForm>
    </section>
  )
}
