import * as z from 'zod'
import { execute } from '../../../db/query'
import { usualAccent } from '../../../domain/instance/accent-shades'
import { readSettings, saveSettings } from '../../../domain/instance/save-settings'
import { pickSettings } from '../../../domain/instance/settings'
import { requireContrast } from '../../../domain/instance/token-contrast'
import { saveSettingsWithPictures } from '../../../domain/media/instance-pictures'
import { Invalid, InvalidFields } from '../../../errors'
import { hexColourOf } from '../../../lib/colour'
import { readTokenSheet } from '../../../lib/token-sheet'
import { fileUrl } from '../../../view/urls'
import { AccentPreview, BrandingView, FrontPagePreview } from '../../components/admin/branding'
import { StyleSheetPreview } from '../../components/admin/style-sheet'
import { checkbox, textField, uploadField } from '../../form-fields'
import { changedFields } from '../../member-pages/changed-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { paths, tokenSheetPath } from '../../paths'

const form = z.object({
  logo: uploadField,
  remove_logo: checkbox,
  thumbnail: uploadField,
  remove_thumbnail: checkbox,
  thumbnailDescription: textField(),
  accentColour: textField(20),
  frontPage: textField(),
  styleSheet: textField(),
  customCss: textField(),
})
type Call = SubmissionCall<z.output<typeof form>>

/** Looks of the server: its logo, its picture, and the colour of its buttons and links. */
export const brandingPage = memberPage({
  kind: 'admin',
  path: paths.branding,
  title: 'admin.branding',
  access: 'manageSettings',
  menu: { label: 'admin.branding', order: 810 },
  form,
  uploadFields: ['logo', 'thumbnail'],
  script: 'crop.js',
  submissions: [
    { path: `${paths.branding}/pictures`, run: savePictures },
    { path: `${paths.branding}/colour`, run: saveColour },
    { path: `${paths.branding}/colour/preview`, run: previewColour },
    { path: `${paths.branding}/style-sheet`, run: saveStyleSheet },
    { path: `${paths.branding}/style-sheet/preview`, run: previewStyleSheet },
    { path: `${paths.branding}/css`, run: saveCss },
    { path: `${paths.branding}/front-page`, run: saveFrontPage },
    { path: `${paths.branding}/front-page/preview`, run: previewFrontPage },
  ],
  notices: {
    pictures: 'admin.branding.picturesSaved',
    colour: 'admin.branding.colourSaved',
    front: 'admin.branding.frontPageSaved',
    sheet: 'admin.branding.styleSheetSaved',
    css: 'admin.branding.cssSaved',
  },
  labels: {
    logo: 'admin.branding.logo',
    remove_logo: 'admin.branding.logo',
    thumbnail: 'admin.branding.picture',
    remove_thumbnail: 'admin.branding.picture',
    thumbnailDescription: 'admin.branding.pictureDescription',
  },
  load: async (ctx) => {
    const found = await execute(
      ctx.db,
      pickSettings(ctx, [
        'logo',
        'thumbnail',
        'thumbnailDescription',
        'accentColour',
        'frontPage',
        'styleSheet',
        'customCss',
      ]),
    )
    const urlOf = (file: typeof found.logo) => (file === null ? null : fileUrl(ctx.config, file, null))
    return {
      logoUrl: urlOf(found.logo),
      pictureUrl: urlOf(found.thumbnail),
      pictureDescription: found.thumbnailDescription,
      frontPage: found.frontPage ?? '',
      styleSheet: found.styleSheet ?? '',
      customCss: found.customCss ?? '',
      colour: hexColourOf(found.accentColour ?? '') ?? usualAccent,
    }
  },
  view: ({ found }) => <BrandingView {...found} />,
})

async function savePictures({ c, ctx, session, input }: Call) {
  const { thumbnailDescription } = await execute(ctx.db, pickSettings(ctx, ['thumbnailDescription']))
  const before = { thumbnailDescription, logo: '', thumbnail: '' }
  await saveSettingsWithPictures(ctx, moderatorOf(c, session), {
    patch: { thumbnailDescription: input.thumbnailDescription },
    logo: input.logo ?? (input.remove_logo ? null : undefined),
    thumbnail: input.thumbnail ?? (input.remove_thumbnail ? null : undefined),
  })
  return { notice: 'pictures' as const, changed: changedFields(before, input), at: 'pictures' }
}

/** A setting that was sent. Names its field where it is refused. */
function sentSetting<N extends 'accentColour' | 'customCss' | 'frontPage' | 'styleSheet'>(
  input: Call['input'],
  name: N,
): string | null {
  try {
    return readSettings({ [name]: input[name] })[name] ?? null
  } catch (failure) {
    if (failure instanceof Invalid) throw new InvalidFields(failure.problems)
    throw failure
  }
}

/** The colour that was sent; null for that of the software. */
function sentColour(input: Call['input']): string | null {
  const colour = sentSetting(input, 'accentColour')
  return colour === usualAccent ? null : colour
}

async function saveColour({ c, ctx, session, input }: Call) {
  await saveSettings(ctx, moderatorOf(c, session), { accentColour: sentColour(input) })
  return { notice: 'colour' as const, at: 'colour' }
}

async function previewColour({ input }: Call) {
  return { show: <AccentPreview colour={hexColourOf(sentColour(input) ?? '') ?? usualAccent} /> }
}

async function saveFrontPage({ c, ctx, session, input }: Call) {
  await saveSettings(ctx, moderatorOf(c, session), { frontPage: sentSetting(input, 'frontPage') })
  return { notice: 'front' as const, at: 'front' }
}

async function previewFrontPage({ input }: Call) {
  return { show: <FrontPagePreview text={sentSetting(input, 'frontPage') ?? ''} /> }
}

async function saveStyleSheet({ c, ctx, session, input }: Call) {
  await saveSettings(ctx, moderatorOf(c, session), { styleSheet: sentSetting(input, 'styleSheet') })
  return { notice: 'sheet' as const, at: 'sheet' }
}

async function saveCss({ c, ctx, session, input }: Call) {
  await saveSettings(ctx, moderatorOf(c, session), { customCss: sentSetting(input, 'customCss') })
  return { notice: 'css' as const, at: 'css' }
}

async function previewStyleSheet({ ctx, input }: Call) {
  const styleSheet = sentSetting(input, 'styleSheet')
  const { accentColour } = await execute(ctx.db, pickSettings(ctx, ['accentColour']))
  requireContrast({ accentColour, styleSheet }, 'styleSheet')
  const { tokens } = readTokenSheet(styleSheet ?? '')
  const path = tokens === null || tokens.size === 0 ? null : tokenSheetPath(tokens)
  return { show: <StyleSheetPreview styleSheet={styleSheet ?? ''} path={path} /> }
}
