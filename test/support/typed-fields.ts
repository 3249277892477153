/** Values of the visible fields of the composer on a page. */
export function typedFields(html: string): Readonly<Record<string, string>> {
  const fields = [
    /<textarea[^>]*name="([^"]*)"[^>]*>\n?([^<]*)</g,
    /type="text" name="([^"]*)" value="([^"]*)"/g,
    /type="radio" name="([^"]*)" value="([^"]*)" checked/g,
    /<select[^>]*name="([^"]*)"(?:(?!<\/select>).)*<option value="([^"]*)" selected/gs,
  ].flatMap((pattern) => [...html.matchAll(pattern)])
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}
