export const sheets: readonly ('client.css' | 'pages.css')[]
export function bundleStyle(name: string): Promise<string>
