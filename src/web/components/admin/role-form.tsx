import { useTranslation } from '../../i18n/context'
import { Button } from '../button'
import { SelectField } from '../field'
import { PostForm } from '../form'

export interface RoleFormProps {
  readonly action: string
  readonly csrfToken: string
  /** Role of the account; null without one. */
  readonly roleId: string | null
  /** Roles below that of the moderator. */
  readonly roles: readonly { readonly id: number; readonly name: string }[]
}

/** Form that gives a member a role, or takes it away. */
export function RoleForm({ action, csrfToken, roleId, roles }: RoleFormProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="role">
      <h2 id="role">{t('Role')}</h2>
      <PostForm action={action} csrfToken={csrfToken}>
        <SelectField
          name="role"
          label={t('Role of the account')}
          hint={t('It counts at once, and stands in the audit log. You can give roles below your own.')}
          value={roleId ?? ''}
          options={[
            { value: '', text: t('None') },
            ...roles.map(({ id, name }) => ({
              value: String(id),
              text: name,
            })),
          ]}
        />
        <Button look="secondary">{t('Change the role')}</Button>
      </PostForm>
    </section>
  )
}
