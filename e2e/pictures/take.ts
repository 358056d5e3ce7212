import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { PICTURES } from '../../scripts/picture-inputs';

/** Takes a picture of the current state of a page, in light and in dark. */
export async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  for (const [theme, suffix] of [
    ['light', ''],
    ['dark', '-dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${theme}\\b`));
    await keep(page, `${name}${suffix}`, await page.screenshot({ animations: 'disabled' }));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Saves a picture as WebP, which is a third of the size of PNG and looks as sharp. */
export async function keep(page: Page, name: string, picture: Buffer): Promise<void> {
  const blank = await page.context().newPage();
  const encoded = await blank.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), {
        width: image.naturalWidth,
        height: image.naturalHeight,
      });
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.9);
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  );
  await blank.close();
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(`${PICTURES}/${name}.webp`, Buffer.from(encoded.split(',')[1] ?? '', 'base64'));
}
