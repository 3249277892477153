import type { InstanceSettings } from '../../../domain/instance/settings'
import { passwordLengths } from '../../../domain/users/check-sign-up'
import type { SetUpState } from '../../../ports/installation'
import { Button } from '../../components/button'
import { CheckboxField, ChoiceField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { NewPasswordFields } from '../../components/new-password'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { StepFrame } from './frame'
import { isDone } from './steps'

export interface StepProps {
  readonly state: SetUpState
}

/** Requests that other servers make, as a rule of Cloudflare's firewall names them. */
const federationRule =
  '(http.request.uri.path in {"/inbox" "/actor"}) or starts_with(http.request.uri.path, "/users/") or starts_with(http.request.uri.path, "/.well-known/") or starts_with(http.request.uri.path, "/nodeinfo/")'

export function DatabaseStep({ state }: StepProps) {
  const t = useTranslation()
  const { migration } = state
  if (migration.state === 'done')
    return (
      <StepFrame step="database" state={state}>
        <p>{t('setUp.database.ready')}</p>
      </StepFrame>
    )
  if (migration.state === 'running')
    return (
      <StepFrame step="database" state={state}>
        <p>{t('setUp.database.running', { done: migration.done, total: migration.total })}</p>
        <progress
          value={migration.done}
          max={Math.max(1, migration.total)}
          aria-label={t('setUp.step.database')}
        ></progress>
      </StepFrame>
    )
  const hasFailed = migration.state === 'failed'
  return (
    <StepFrame step="database" state={state}>
      <p>{hasFailed ? t('setUp.database.failed') : t('setUp.database.text')}</p>
      <PostForm action={`${paths.setUp}/database`}>
        <Button>{hasFailed ? t('offline.tryAgain') : t('setUp.database.button')}</Button>
      </PostForm>
    </StepFrame>
  )
}

export interface DomainStepProps extends StepProps {
  /** Chosen domain, or that of the request. */
  readonly domain: string
}

export function DomainStep({ state, domain }: DomainStepProps) {
  const t = useTranslation()
  return (
    <StepFrame step="domain" state={state}>
      <p>{t('setUp.domain.text')}</p>
      <PostForm action={`${paths.setUp}/domain`}>
        <TextField
          name="domain"
          label={t('field.domain')}
          hint={t('setUp.domain.hint')}
          value={domain}
          autocomplete="off"
          maxlength={253}
        />
        <Button>{t('common.continue')}</Button>
      </PostForm>
      <p class="quiet small">{t('setUp.domain.workersDev')}</p>
      <p class="quiet small">{t('setUp.domain.rule')}</p>
      <p class="small" dir="ltr">
        <code>{federationRule}</code>
      </p>
    </StepFrame>
  )
}

export interface ServerStepProps extends StepProps {
  readonly settings: Pick<InstanceSettings, 'title' | 'registrations'>
}

export function ServerStep({ state, settings }: ServerStepProps) {
  const t = useTranslation()
  return (
    <StepFrame step="server" state={state}>
      <p>{t('setUp.server.text')}</p>
      <PostForm action={`${paths.setUp}/server`}>
        <TextField
          name="title"
          label={t('field.name')}
          value={settings.title}
          autocomplete="off"
          maxlength={100}
          isProse
        />
        <ChoiceField
          name="registrations"
          label={t('admin.settings.whoMaySignUp')}
          value={settings.registrations}
          options={[
            { value: 'closed', text: t('admin.settings.nobodyWithoutInvitation') },
            { value: 'approval', text: t('admin.settings.whomModeratorsApprove') },
            { value: 'open', text: t('admin.settings.everybody') },
          ]}
        />
        <Button>{t('common.continue')}</Button>
      </PostForm>
    </StepFrame>
  )
}

export interface ServicesStepProps extends StepProps {
  /** Whether the Worker has a binding that sends mail. */
  readonly canMail: boolean
}

export function ServicesStep({ state, canMail }: ServicesStepProps) {
  const t = useTranslation()
  return (
    <StepFrame step="services" state={state}>
      <p>{t('setUp.services.text')}</p>
      <PostForm action={`${paths.setUp}/services`}>
        <ChoiceField
          name="plan"
          label={t('setUp.services.plan')}
          value={state.chosen.PLAN ?? 'free'}
          options={[
            { value: 'free', text: t('setUp.services.free'), hint: t('setUp.services.freeHint') },
            { value: 'paid', text: t('setUp.services.paid'), hint: t('setUp.services.paidHint') },
          ]}
        />
        {canMail ? (
          <TextField
            name="email"
            label={t('setUp.services.sender')}
            hint={t('setUp.services.senderHint')}
            type="email"
            value={state.chosen.MAIL_FROM ?? ''}
            autocomplete="off"
            isOptional
          />
        ) : (
          <p class="quiet">{t('setUp.services.noMail')}</p>
        )}
        <Button>{t('common.continue')}</Button>
      </PostForm>
    </StepFrame>
  )
}

export function SecretsStep({ state }: StepProps) {
  const t = useTranslation()
  if (isDone('secrets', state))
    return (
      <StepFrame step="secrets" state={state}>
        <p>{t('setUp.secrets.done')}</p>
      </StepFrame>
    )
  return (
    <StepFrame step="secrets" state={state}>
      <p>{t('setUp.secrets.text')}</p>
      <PostForm action={`${paths.setUp}/secrets/file`}>
        <Button look="secondary">{t('setUp.secrets.button')}</Button>
      </PostForm>
      <PostForm action={`${paths.setUp}/secrets`}>
        <CheckboxField name="agreement" label={t('setUp.secrets.stored')} isChecked={false} />
        <Button>{t('common.continue')}</Button>
      </PostForm>
    </StepFrame>
  )
}

export function OwnerStep({ state }: StepProps) {
  const t = useTranslation()
  return (
    <StepFrame step="owner" state={state}>
      <p>{t('setUp.owner.text')}</p>
      <PostForm action={`${paths.setUp}/owner`}>
        <TextField
          name="username"
          label={t('common.userName')}
          autocomplete="username"
          maxlength={30}
          suffix={state.chosen.ORIGIN === undefined ? '' : `@${new URL(state.chosen.ORIGIN).host}`}
        />
        <TextField name="email" label={t('field.emailAddress')} type="email" autocomplete="email" />
        <NewPasswordFields
          labels={[t('field.password'), t('signUp.confirmPassword')]}
          minLength={passwordLengths.min}
        />
        <Button>{t('setUp.owner.button')}</Button>
      </PostForm>
    </StepFrame>
  )
}
