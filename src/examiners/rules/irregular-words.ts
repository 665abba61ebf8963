/** Forms that no rule of endings leads back to their word, and small numbers. */
const FORMS = `
eat: ate eaten
drink: drank drunk
take: took taken
give: gave given
go: went gone goes
see: saw seen
sleep: slept asleep
feel: felt
fall: fell fallen
break: broke broken
leave: left
lie: lay lain lying
say: said
tell: told
speak: spoke spoken
think: thought thoughts
know: knew known
find: found
write: wrote written
bite: bit bitten
burn: burnt
choose: chose chosen
wear: wore worn
hear: heard
grow: grew grown
bring: brought
buy: bought
keep: kept
send: sent
make: made
stand: stood
hold: held
foot: feet
tooth: teeth
woman: women
man: men
2: two
3: three
4: four
5: five
6: six
7: seven
8: eight
9: nine
10: ten
11: eleven
12: twelve
15: fifteen
20: twenty
30: thirty
60: sixty
die: died dying dies
`;

/** Maps a form to the word. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [word = '', forms = ''] = line.split(': ');
      return forms.split(' ').map((form): [string, string] => [form, word]);
    }),
);
