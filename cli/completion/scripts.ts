export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The scripts that make a shell call `osce complete` at a Tab. Each offers files where there is no answer. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of osce for bash. In ~/.bashrc: source <(osce completion bash)
_osce_completion() {
  local value description
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    COMPREPLY+=("$value")
  done < <(osce complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _osce_completion osce
`,
  zsh: `#compdef osce
# Completion of osce for zsh. In ~/.zshrc, after compinit: source <(osce completion zsh)
compdef _osce osce
_osce() {
  local value description
  local -a candidates
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}:$description")
  done < <(osce complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe 'osce' candidates
  else
    _files
  fi
}
# Not when it is sourced, but when the shell loads it as a function.
if [ "$funcstack[1]" = "_osce" ]; then
  _osce
fi
`,
  fish: `# Completion of osce for fish. Once: osce completion fish > ~/.config/fish/completions/osce.fish
function __osce_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l candidates (osce complete -- $words[2..-1] "$current" 2>/dev/null)
    if set -q candidates[1]
        printf '%s\\n' $candidates
    else
        __fish_complete_path "$current"
    end
end
complete -c osce -f -a '(__osce_complete)'
`,
};
