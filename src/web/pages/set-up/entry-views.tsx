import { Button, ButtonLink } from '../../components/button'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { SetUpFrame } from './frame'

/** Asks a browser for the set-up secret. */
export function EnterPage() {
  const t = useTranslation()
  return (
    <SetUpFrame title={t('setUp.title')}>
      <p>{t('setUp.enter.text')}</p>
      <PostForm action={`${paths.setUp}/enter`}>
        <TextField name="secret" label={t('setUp.secret')} type="password" autocomplete="off" />
        <Button>{t('common.continue')}</Button>
      </PostForm>
    </SetUpFrame>
  )
}

export interface HeldPageProps {
  /** Proof that this browser entered the secret, which its form sends again. */
  readonly proof: string
}

/** Tells a second browser that set-up belongs to another one. */
export function HeldPage({ proof }: HeldPageProps) {
  const t = useTranslation()
  return (
    <SetUpFrame title={t('setUp.held.title')}>
      <p>{t('setUp.held.text')}</p>
      <PostForm action={`${paths.setUp}/take-over`} hidden={{ proof }}>
        <Button look="caution">{t('setUp.held.button')}</Button>
      </PostForm>
    </SetUpFrame>
  )
}

/** Asks for what opens a server whose set-up secret was changed. */
export function LockedPage() {
  const t = useTranslation()
  return (
    <SetUpFrame title={t('setUp.locked.button')}>
      <p>{t('setUp.locked.text')}</p>
      <PostForm action={`${paths.setUp}/unlock`}>
        <TextField name="proof" label={t('setUp.locked.proof')} type="password" autocomplete="off" />
        <Button>{t('setUp.locked.button')}</Button>
      </PostForm>
    </SetUpFrame>
  )
}

export interface FinishedPageProps {
  readonly origin: string
  readonly username: string
}

/** Leads from set-up, which is over, to the server. */
export function FinishedPage({ origin, username }: FinishedPageProps) {
  const t = useTranslation()
  return (
    <SetUpFrame title={t('setUp.finished.title')}>
      <p>{t('setUp.finished.text', { domain: new URL(origin).host, username })}</p>
      <div class="actions">
        <ButtonLink href={`${origin}${paths.signIn}`}>{t('common.signIn')}</ButtonLink>
      </div>
    </SetUpFrame>
  )
}
