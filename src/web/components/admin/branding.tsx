import { usualAccent } from '../../../domain/instance/accent-shades'
import type { HexColour } from '../../../lib/colour'
import { renderDocument } from '../../../lib/text/document'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Button } from '../button'
import { ColourField, TextField } from '../field'
import { PostForm } from '../form'
import { Outcome } from '../form-page'
import { IslandScript } from '../island-script'
import { PictureField } from '../picture-field'
import { Prose } from '../prose'
import { AccentSamples } from './accent-samples'
import { Panel } from './panel'
import { CustomCss, StyleSheet } from './style-sheet'
import { PreviewActions, TextSetting, Unsaved } from './text-setting'

export interface BrandingViewProps {
  readonly logoUrl: string | null
  readonly pictureUrl: string | null
  readonly pictureDescription: string
  readonly colour: HexColour
  /** Markdown; empty where the short description stands on the front page. */
  readonly frontPage: string
  readonly styleSheet: string
  readonly customCss: string
}

export function BrandingView(props: BrandingViewProps) {
  const t = useTranslation()
  return (
    <Panel title={t('admin.branding')} current={paths.branding}>
      <Pictures {...props} />
      <Colour {...props} />
      <FrontPage {...props} />
      <StyleSheet styleSheet={props.styleSheet} />
      <CustomCss css={props.customCss} />
      <IslandScript name="crop.js" />
    </Panel>
  )
}

function Pictures({ logoUrl, pictureUrl, pictureDescription }: BrandingViewProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="pictures">
      <h2 id="pictures">{t('admin.branding.pictures')}</h2>
      <Outcome at="pictures" />
      <PostForm action={`${paths.branding}/pictures`} hasFiles>
        <PictureField
          name="logo"
          label={t('admin.branding.logo')}
          hint={t('admin.branding.logo.hint')}
          width={512}
          height={512}
          currentUrl={logoUrl}
          removeLabel={t('admin.branding.removeLogo')}
        />
        <PictureField
          name="thumbnail"
          label={t('admin.branding.picture')}
          hint={t('admin.branding.picture.hint')}
          width={1_800}
          height={945}
          currentUrl={pictureUrl}
          removeLabel={t('admin.branding.removePicture')}
        />
        <TextField
          name="thumbnailDescription"
          label={t('admin.branding.pictureDescription')}
          value={pictureDescription}
          autocomplete="off"
          maxlength={1_500}
          isOptional
          isProse
        />
        <Button>{t('common.save')}</Button>
      </PostForm>
    </section>
  )
}

function Colour({ colour }: BrandingViewProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="colour">
      <h2 id="colour">{t('admin.branding.colour')}</h2>
      <Outcome at="colour" />
      <ColourForm colour={colour} />
      <AccentSamples colour={colour} />
      {colour !== usualAccent && (
        <PostForm action={`${paths.branding}/colour`} hidden={{ accentColour: usualAccent }}>
          <Button look="secondary">{t('admin.branding.useUsualColour')}</Button>
        </PostForm>
      )}
    </section>
  )
}

function ColourForm({ colour }: Pick<BrandingViewProps, 'colour'>) {
  const t = useTranslation()
  return (
    <PostForm action={`${paths.branding}/colour`}>
      <ColourField
        name="accentColour"
        label={t('admin.branding.colour')}
        hint={t('admin.branding.colour.hint')}
        value={colour}
      />
      <PreviewActions action={`${paths.branding}/colour`}>
        <Button>{t('common.save')}</Button>
      </PreviewActions>
    </PostForm>
  )
}

/** A colour in every theme before it is saved. */
export function AccentPreview({ colour }: { readonly colour: HexColour }) {
  const t = useTranslation()
  return (
    <Panel title={t('admin.branding.colourPreview', { colour })} current={paths.branding}>
      <Unsaved action={`${paths.branding}/colour`} value={{ accentColour: colour }}>
        <AccentSamples colour={colour} />
      </Unsaved>
    </Panel>
  )
}

function FrontPage({ frontPage }: BrandingViewProps) {
  const t = useTranslation()
  return (
    <TextSetting
      id="front"
      heading={t('admin.branding.frontPage')}
      action={`${paths.branding}/front-page`}
      hasPreview
      name="frontPage"
      label={t('field.text')}
      hint={t('admin.branding.frontPage.hint')}
      value={frontPage}
      rows={10}
      maxlength={100_000}
    />
  )
}

/** The text of the front page as visitors will read it, before it is saved. */
export function FrontPagePreview({ text }: { readonly text: string }) {
  const t = useTranslation()
  return (
    <Panel title={t('admin.branding.frontPage')} current={paths.branding}>
      <Unsaved action={`${paths.branding}/front-page`} value={{ frontPage: text }}>
        <Prose html={renderDocument(text)} />
      </Unsaved>
    </Panel>
  )
}
