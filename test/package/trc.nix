# SPDX-License-Identifier: MIT
# What `nix-build test/package/trc.nix` builds: the sources that this file lies in.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "trc";
  version = "1.1.0";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = with pkgs; [ meson ninja pkg-config ];
  buildInputs = with pkgs; [ xxHash xz zlib bzip2 zstd zydis ];
  nativeCheckInputs = with pkgs; [ python3 file ];
  doCheck = true;

  meta = {
    description = "Packs, reduces, splits and measures memory-reference traces";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.unix;
    mainProgram = "trc";
  };
}
