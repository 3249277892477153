import type { PropsWithChildren } from 'hono/jsx'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../button'
import { TextAreaField, type TextAreaFieldProps } from '../field'
import { PostForm } from '../form'
import { Outcome } from '../form-page'

interface TextSettingProps extends TextAreaFieldProps {
  /** Id of the heading, at which the outcome of the form is told. */
  readonly id: string
  readonly heading: string
  readonly action: string
  /** Offers a look before it is saved, at the path of the form with `/preview` behind it. */
  readonly hasPreview?: boolean
}

/** A section with the form of one long text of the server. */
export function TextSetting({ id, heading, action, hasPreview = false, ...field }: TextSettingProps) {
  const t = useTranslation()
  const save = <Button>{t('common.save')}</Button>
  return (
    <section class="block" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <Outcome at={id} />
      <PostForm action={action}>
        <TextAreaField {...field} isOptional />
        {hasPreview ? <PreviewActions action={action}>{save}</PreviewActions> : save}
      </PostForm>
    </section>
  )
}

/** Button that shows what a form would save, beside the one that saves it. */
export function PreviewActions({ action, children }: PropsWithChildren<{ readonly action: string }>) {
  const t = useTranslation()
  return (
    <div class="actions">
      <Button look="secondary" action={`${action}/preview`}>
        {t('admin.terms.preview')}
      </Button>
      {children}
    </div>
  )
}

interface UnsavedProps {
  readonly action: string
  /** Value to save, by the name of its field. */
  readonly value: Readonly<Record<string, string>>
}

/** A look of the server that is not saved, with the form that saves it. */
export function Unsaved({ action, value, children }: PropsWithChildren<UnsavedProps>) {
  const t = useTranslation()
  return (
    <section class="block">
      <p class="quiet">{t('admin.branding.notSavedYet')}</p>
      {children}
      <PostForm action={action} hidden={value}>
        <div class="actions">
          <Button>{t('common.save')}</Button>
          <ButtonLink look="secondary" href={paths.branding}>
            {t('common.cancel')}
          </ButtonLink>
        </div>
      </PostForm>
    </section>
  )
}
